package io.varve.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** A file with a random secret that only its owner can read, in a folder of its owner. */
public final class SecretFile {

  private SecretFile() {}

  /**
   * Writes the file unless it exists. An interrupted call leaves no file of that name.
   *
   * @param bytes of the secret, which is written in base64 for URLs
   */
  public static void createIfMissing(Path file, int bytes, RandomGenerator random)
      throws IOException {
    if (Files.exists(file)) {
      return;
    }
    Path folder = Objects.requireNonNull(file.getParent(), "the file has no folder");
    Files.createDirectories(folder, permissions("rwx------"));
    Path temporary = Files.createTempFile(folder, "secret", ".tmp", permissions("rw-------"));
    byte[] secret = new byte[bytes];
    random.nextBytes(secret);
    Files.writeString(temporary, Base64.getUrlEncoder().encodeToString(secret) + "\n");
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }
}
