package io.varve.http.security;

import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaSecurity;
import io.varve.process.SecretFile;
import io.varve.tls.CertificateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.kafka.security.*}: how a process connects to the brokers of its log.
 *
 * @param protocol by default {@code ssl} for a process with {@code varve.security.tls.folder}, and
 *     {@code plaintext} for others
 * @param certificateFile the key and the certificate that the process presents; by default, with
 *     {@code ssl}, those in {@code varve.security.tls.folder}
 * @param authoritiesFile the authorities of the brokers; by default those in {@code
 *     varve.security.tls.folder}, with the list of certificates that they revoked, or those of the
 *     JVM
 * @param mechanism of {@code sasl_ssl}
 * @param username of {@code sasl_ssl}
 * @param passwordFile of {@code sasl_ssl}, with mode 600
 */
@ConfigurationProperties("varve.kafka.security")
public record KafkaSecurityProperties(
    @Nullable Protocol protocol,
    @Nullable Path certificateFile,
    @Nullable Path authoritiesFile,
    @DefaultValue("SCRAM-SHA-512") String mechanism,
    @Nullable String username,
    @Nullable Path passwordFile) {

  private static final String NAME = "varve.kafka.security.";
  private static final Set<String> MECHANISMS = Set.of("SCRAM-SHA-256", "SCRAM-SHA-512");

  /** The protocol of the connections. */
  public enum Protocol {
    PLAINTEXT,

    /** TLS, in which the process presents a certificate if it has one. */
    SSL,

    /** TLS and a password. */
    SASL_SSL
  }

  public KafkaSecurityProperties {
    if (!MECHANISMS.contains(mechanism)) {
      throw new IllegalArgumentException(
          NAME + "mechanism must be one of " + MECHANISMS + ", was [" + mechanism + "]");
    }
    boolean hasLogin = username != null || passwordFile != null;
    if (hasLogin != (protocol == Protocol.SASL_SSL)
        || (username == null) != (passwordFile == null)) {
      throw new IllegalArgumentException(
          NAME + "username and " + NAME + "password-file belong to the protocol sasl_ssl");
    }
    if (protocol == Protocol.PLAINTEXT && (certificateFile != null || authoritiesFile != null)) {
      throw new IllegalArgumentException(NAME + "*-file need another protocol than plaintext");
    }
  }

  /**
   * The security of the clients.
   *
   * @param tlsFolder {@code varve.security.tls.folder}; null if it is not set
   * @param sharedFiles {@code varve.security.shared-files}
   * @throws IOException users other than its owner may read a file with a key or a password
   */
  KafkaLogConfig.Security of(@Nullable Path tlsFolder, boolean sharedFiles) throws IOException {
    Protocol used =
        protocol != null
            ? protocol
            : tlsFolder == null && certificateFile == null && authoritiesFile == null
                ? Protocol.PLAINTEXT
                : Protocol.SSL;
    Path shown = used == Protocol.SSL ? certificate(tlsFolder) : certificateFile;
    if (!sharedFiles) {
      requirePrivate(shown);
      requirePrivate(passwordFile);
    }
    return switch (used) {
      case PLAINTEXT -> KafkaLogConfig.Security.NONE;
      case SSL -> KafkaSecurity.tls(files(tlsFolder, shown));
      case SASL_SSL -> KafkaSecurity.scram(files(tlsFolder, shown), login());
    };
  }

  private static void requirePrivate(@Nullable Path file) throws IOException {
    if (file != null) {
      SecretFile.requirePrivate(file);
    }
  }

  private @Nullable Path certificate(@Nullable Path tlsFolder) {
    return certificateFile == null && tlsFolder != null
        ? tlsFolder.resolve(CertificateFolder.NODE_FILE)
        : certificateFile;
  }

  private KafkaSecurity.PemFiles files(@Nullable Path tlsFolder, @Nullable Path certificate) {
    return authoritiesFile == null && tlsFolder != null
        ? new KafkaSecurity.PemFiles(
            certificate,
            tlsFolder.resolve(CertificateFolder.TRUST_FILE),
            tlsFolder.resolve(CertificateFolder.REVOCATIONS_FILE))
        : new KafkaSecurity.PemFiles(certificate, authoritiesFile);
  }

  private KafkaSecurity.Login login() {
    if (username == null || passwordFile == null) {
      throw new IllegalArgumentException(
          NAME + "protocol sasl_ssl needs " + NAME + "username and " + NAME + "password-file");
    }
    return new KafkaSecurity.Login(mechanism, username, passwordFile);
  }
}
