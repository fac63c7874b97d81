package io.varve.log.kafka;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.scram.ScramLoginModule;
import org.jspecify.annotations.Nullable;

/**
 * The properties of Kafka's clients for connections whose certificates and passwords are in files.
 * A file that was replaced is used by later connections ({@link ReloadingSslEngines}, {@link
 * PasswordFileLogin}).
 */
public final class KafkaSecurity {

  /**
   * The property of {@link ReloadingSslEngines} with the file of the revoked certificates, in PEM.
   * The file need not exist. The authorities that sign it are those of the trust store, in PEM.
   */
  public static final String REVOCATIONS = "ssl.revocations.location";

  private static final String PEM = "PEM";

  private KafkaSecurity() {}

  /**
   * Files in PEM.
   *
   * @param certificate the key and the certificate of this process; null: it presents none
   * @param authorities the certificates of the authorities that it trusts; null: those of the JVM
   * @param revocations the list of the certificates that these authorities revoked; it need not
   *     exist. Null: none are revoked
   */
  public record PemFiles(
      @Nullable Path certificate, @Nullable Path authorities, @Nullable Path revocations) {

    public PemFiles {
      if (revocations != null && authorities == null) {
        throw new IllegalArgumentException(
            "a list of revoked certificates needs the authorities that signed it");
      }
    }

    /** Without a list of revoked certificates. */
    public PemFiles(@Nullable Path certificate, @Nullable Path authorities) {
      this(certificate, authorities, null);
    }

    private Map<String, String> properties() {
      Map<String, String> properties = new HashMap<>();
      properties.put(
          SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG, ReloadingSslEngines.class.getName());
      if (certificate != null) {
        properties.put(SslConfigs.SSL_KEYSTORE_TYPE_CONFIG, PEM);
        properties.put(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, certificate.toString());
      }
      if (authorities != null) {
        properties.put(SslConfigs.SSL_TRUSTSTORE_TYPE_CONFIG, PEM);
        properties.put(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG, authorities.toString());
      }
      if (revocations != null) {
        properties.put(REVOCATIONS, revocations.toString());
      }
      return properties;
    }
  }

  /**
   * A user of the brokers.
   *
   * @param mechanism {@code SCRAM-SHA-256} or {@code SCRAM-SHA-512}
   * @param passwordFile contains only the password
   */
  public record Login(String mechanism, String username, Path passwordFile) {}

  /** With TLS; mutual if this process has a certificate. */
  public static KafkaLogConfig.Security tls(PemFiles files) {
    return security(SecurityProtocol.SSL, files.properties());
  }

  /** With TLS and a password. */
  public static KafkaLogConfig.Security scram(PemFiles files, Login login) {
    Map<String, String> properties = files.properties();
    properties.put(SaslConfigs.SASL_MECHANISM, login.mechanism());
    properties.put(SaslConfigs.SASL_JAAS_CONFIG, ScramLoginModule.class.getName() + " required;");
    properties.put(
        SaslConfigs.SASL_CLIENT_CALLBACK_HANDLER_CLASS, PasswordFileLogin.class.getName());
    properties.put(PasswordFileLogin.USERNAME, login.username());
    properties.put(PasswordFileLogin.PASSWORD_FILE, login.passwordFile().toString());
    return security(SecurityProtocol.SASL_SSL, properties);
  }

  /**
   * The properties with which a broker presents a certificate and requires one from each client.
   */
  public static Map<String, String> broker(PemFiles files) {
    Map<String, String> properties = files.properties();
    properties.put("ssl.client.auth", "required");
    return properties;
  }

  private static KafkaLogConfig.Security security(
      SecurityProtocol protocol, Map<String, String> properties) {
    properties.put(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, protocol.name);
    return new KafkaLogConfig.Security(properties, 0);
  }
}
