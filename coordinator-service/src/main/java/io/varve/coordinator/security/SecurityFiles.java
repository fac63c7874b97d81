package io.varve.coordinator.security;

import io.varve.process.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

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
    SecretFile.createIfMissing(file, PASSWORD_BYTES, random);
    return Files.readString(file, StandardCharsets.UTF_8).strip();
  }
}
