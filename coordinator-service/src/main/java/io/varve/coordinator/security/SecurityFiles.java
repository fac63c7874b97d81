package io.varve.coordinator.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** The file with the first password of the user {@code admin}, which only its owner can read. */
final class SecurityFiles {

  private static final int PASSWORD_BYTES = 24;

  private final Path folder;
  private final SecureRandom random = new SecureRandom();

  SecurityFiles(Path folder) {
    this.folder = folder;
  }

  Path adminPasswordFile() {
    return folder.resolve("admin.password");
  }

  /**
   * The password in the file, which is written if it does not exist. It is written before the user
   * is created, so that an interrupted start can be repeated.
   */
  String adminPassword() throws IOException {
    Path file = adminPasswordFile();
    if (!Files.exists(file)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Path temporary =
          Files.createTempFile(
              folder,
              "admin",
              ".tmp",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      byte[] bytes = new byte[PASSWORD_BYTES];
      random.nextBytes(bytes);
      Files.writeString(
          temporary, Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + "\n");
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
