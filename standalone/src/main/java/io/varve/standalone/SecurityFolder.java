package io.varve.standalone;

import io.varve.process.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/**
 * The folder with the secrets of a secured standalone: {@code cluster.secret}, which it writes at
 * the first start, and {@code admin.password}, which the coordinator writes. Only their owner can
 * read the files.
 */
public final class SecurityFolder {

  private static final int SECRET_BYTES = 32;

  private final Path folder;

  /**
   * @param data the data folder of the standalone
   */
  public SecurityFolder(Path data) {
    this.folder = data.resolve("security");
  }

  public Path adminPasswordFile() {
    return folder.resolve("admin.password");
  }

  /** Writes the secret of the cluster unless it exists; returns the arguments of each service. */
  public List<String> prepare() throws IOException {
    Path secret = folder.resolve("cluster.secret");
    SecretFile.createIfMissing(secret, SECRET_BYTES, new SecureRandom());
    return List.of(
        "--varve.security.enabled=true",
        "--varve.security.cluster-secret-file=" + secret,
        "--varve.security.folder=" + folder);
  }

  /** The header {@code Authorization} of the user admin; empty until its password is written. */
  public Optional<String> authorization() {
    try {
      return Optional.of(RestCalls.basic("admin", Files.readString(adminPasswordFile()).strip()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
