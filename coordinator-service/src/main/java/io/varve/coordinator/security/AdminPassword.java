package io.varve.coordinator.security;

import io.varve.process.SecretFile;
import io.varve.security.BuiltInRoles;
import io.varve.security.SecurityCommand;
import io.varve.security.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The user {@code admin} with a random password, which is written to a file that only its owner can
 * read. The file is written before the user is created, so that an interrupted start can be
 * repeated.
 *
 * @param hashing of passwords
 */
record AdminPassword(Path folder, UnaryOperator<String> hashing) implements FirstUsers {

  private static final int PASSWORD_BYTES = 24;

  @Override
  public List<SecurityCommand> commands() throws IOException {
    SecretFile.createIfMissing(file(), PASSWORD_BYTES, new SecureRandom());
    String password = Files.readString(file(), StandardCharsets.UTF_8).strip();
    return List.of(
        new SecurityCommand.Initialize(
            new User(
                BuiltInRoles.ADMIN,
                hashing.apply(password),
                List.of(BuiltInRoles.ADMIN),
                List.of(),
                Map.of(),
                "created with the cluster",
                true)));
  }

  private Path file() {
    return folder.resolve("admin.password");
  }

  @Override
  public String notice() {
    return "the password of the user admin is in " + file();
  }
}
