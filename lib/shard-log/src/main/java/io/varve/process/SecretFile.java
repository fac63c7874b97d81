package io.varve.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A file with a secret that only its owner can read, in a folder of its owner. */
public final class SecretFile {

  private static final Set<PosixFilePermission> FORBIDDEN =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private SecretFile() {}

  /**
   * Writes a random secret unless the file exists. An interrupted call leaves no file of that name.
   *
   * @param bytes the length of the secret, which is written in base64 for URLs
   */
  public static void createIfMissing(Path file, int bytes, RandomGenerator random)
      throws IOException {
    if (Files.exists(file)) {
      return;
    }
    write(file, random(bytes, random) + "\n");
  }

  /** A random secret of that many bytes, in base64 for URLs. */
  public static String random(int bytes, RandomGenerator random) {
    byte[] secret = new byte[bytes];
    random.nextBytes(secret);
    return Base64.getUrlEncoder().encodeToString(secret);
  }

  /**
   * Checks that only the owner of the file may use it, if the file system supports permissions.
   *
   * @throws IOException others may use it, or there is no such file
   */
  public static void requirePrivate(Path file) throws IOException {
    if (Files.getFileStore(file).supportsFileAttributeView("posix")
        && Files.getPosixFilePermissions(file).stream().anyMatch(FORBIDDEN::contains)) {
      throw new IOException(
          "the file [" + file + "] must not be accessible to others than its owner (chmod 600)");
    }
  }

  /** Writes or replaces the file as a whole. An interrupted call leaves the file as it was. */
  public static void write(Path file, String content) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent(), "the file has no folder");
    Files.createDirectories(folder, permissions("rwx------"));
    Path temporary = Files.createTempFile(folder, "secret", ".tmp", permissions("rw-------"));
    Files.writeString(temporary, content);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static FileAttribute<?> permissions(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }
}
