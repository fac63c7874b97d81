package io.varve.http.security;

import io.varve.cluster.ClusterSecret;
import io.varve.process.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.security.*}.
 *
 * @param enabled false by default, which {@link SecurityDefault} allows on loopback addresses only
 * @param clusterSecretFile the file with the secret of the cluster; required with security. Without
 *     TLS, processes authenticate each other by it
 * @param folder the folder to which a coordinator writes the first password of {@code admin}; by
 *     default {@code security} in {@code varve.data}
 * @param tls the certificates of the process; without a folder there is no TLS
 * @param failedLogins the limit of a user's failed logins from one address
 * @param passwordMinLength the shortest password that users may set, in characters
 * @param loginCacheSize number of logins whose password is cached as correct and not hashed again
 * @param nameMaxLength the longest name of a new user, role or API key, in characters
 * @param auditQueueSize events that may wait to be written to the audit log
 * @param requestsPerUser requests of one user that run at the same time
 * @param usersFile the initial users and roles of a cluster without users, with hashes of passwords
 * @param sharedFiles whether files with keys and secrets may have other modes than 600, because
 *     something else protects them, such as a container into which they are mounted
 */
@ConfigurationProperties("varve.security")
public record SecurityProperties(
    @DefaultValue("false") boolean enabled,
    @Nullable Path clusterSecretFile,
    @Nullable Path folder,
    @DefaultValue Tls tls,
    @DefaultValue FailedLogins failedLogins,
    @DefaultValue("8") int passwordMinLength,
    @DefaultValue("1000") int loginCacheSize,
    @DefaultValue("256") int nameMaxLength,
    @DefaultValue("10000") int auditQueueSize,
    @DefaultValue("1000") int requestsPerUser,
    @Nullable Path usersFile,
    @DefaultValue("false") boolean sharedFiles) {

  /** The longest password, in bytes, of which bcrypt uses all bytes. */
  public static final int PASSWORD_MAX_BYTES = 72;

  /**
   * A limit of failed logins.
   *
   * @param limit failed logins in a period, after which all are refused with 429
   * @param maxPairs pairs of user and address whose failures are counted
   */
  public record FailedLogins(
      @DefaultValue("10") int limit,
      @DefaultValue("1m") Duration period,
      @DefaultValue("10000") int maxPairs) {
    public FailedLogins {
      require("varve.security.failed-logins.max-pairs", maxPairs, 100, 1_000_000);
      require("varve.security.failed-logins.limit", limit, 1, 10_000);
      if (period.compareTo(Duration.ofSeconds(1)) < 0 || period.compareTo(Duration.ofDays(1)) > 0) {
        throw new IllegalArgumentException(
            "varve.security.failed-logins.period must be 1s to 1d, was " + period);
      }
    }
  }

  /**
   * The certificates of a process.
   *
   * @param folder with {@code node.pem} and {@code ca.pem}, as {@code varve security} writes them
   * @param internalPort the port for other processes; 0 for any free port
   */
  public record Tls(@Nullable Path folder, @DefaultValue("0") int internalPort) {
    public Tls {
      require("varve.security.tls.internal-port", internalPort, 0, 65_535);
    }
  }

  public SecurityProperties {
    require("varve.security.password-min-length", passwordMinLength, 1, PASSWORD_MAX_BYTES);
    require("varve.security.login-cache-size", loginCacheSize, 1, 1_000_000);
    require("varve.security.audit-queue-size", auditQueueSize, 100, 1_000_000);
    require("varve.security.requests-per-user", requestsPerUser, 1, 1_000_000);
    require("varve.security.name-max-length", nameMaxLength, 16, 1_024);
    if (enabled && clusterSecretFile == null) {
      throw new IllegalArgumentException(
          "varve.security.enabled needs varve.security.cluster-secret-file");
    }
  }

  private static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be " + least + " to " + most + ", was " + value);
    }
  }

  /**
   * The secret in the file; null without security.
   *
   * @throws IOException the file can't be read, or users other than its owner may read it
   */
  public @Nullable ClusterSecret clusterSecret() throws IOException {
    if (!enabled || clusterSecretFile == null) {
      return null;
    }
    return sharedFiles
        ? ClusterSecret.readShared(clusterSecretFile)
        : ClusterSecret.read(clusterSecretFile);
  }

  /**
   * Checks that only the owner of a file may use it, unless files are shared.
   *
   * @throws IOException other users may use it, or there is no such file
   */
  public void requirePrivate(Path file) throws IOException {
    if (!sharedFiles) {
      SecretFile.requirePrivate(file);
    }
  }
}
