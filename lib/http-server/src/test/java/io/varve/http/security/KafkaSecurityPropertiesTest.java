package io.varve.http.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.http.security.KafkaSecurityProperties.Protocol;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.process.SecretFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaSecurityPropertiesTest {

  private static final String MECHANISM = "SCRAM-SHA-512";

  @TempDir Path folder;
  private Path password;

  @BeforeEach
  void writeFiles() throws IOException {
    SecretFile.write(folder.resolve("node.pem"), "");
    password = folder.resolve("password");
    SecretFile.write(password, "canary");
  }

  private static KafkaSecurityProperties of(
      @Nullable Protocol protocol, @Nullable String username, @Nullable Path passwordFile) {
    return new KafkaSecurityProperties(protocol, null, null, MECHANISM, username, passwordFile);
  }

  @Test
  void withoutCertificatesThereIsNoSecurity() throws Exception {
    assertThat(of(null, null, null).of(null, false)).isEqualTo(KafkaLogConfig.Security.NONE);
  }

  @Test
  void aProcessWithCertificatesShowsThemToItsBrokersToo() throws Exception {
    assertThat(of(null, null, null).of(folder, false).properties())
        .containsEntry("security.protocol", "SSL")
        .containsEntry("ssl.keystore.location", folder.resolve("node.pem").toString())
        .containsEntry("ssl.truststore.location", folder.resolve("ca.pem").toString());
    assertThat(of(Protocol.PLAINTEXT, null, null).of(folder, false))
        .isEqualTo(KafkaLogConfig.Security.NONE);
  }

  @Test
  void aPasswordReplacesTheCertificate() throws Exception {
    assertThat(of(Protocol.SASL_SSL, "ada", password).of(folder, false).properties())
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("sasl.mechanism", MECHANISM)
        .containsEntry("ssl.truststore.location", folder.resolve("ca.pem").toString())
        .doesNotContainKey("ssl.keystore.location")
        .doesNotContainValue("canary");
  }

  @Test
  void otherFilesTakePrecedence() throws Exception {
    Path own = folder.resolve("kafka.pem");
    SecretFile.write(own, "");
    Path authorities = folder.resolve("kafka-ca.pem");
    assertThat(
            new KafkaSecurityProperties(null, own, authorities, MECHANISM, null, null)
                .of(null, false)
                .properties())
        .containsEntry("security.protocol", "SSL")
        .containsEntry("ssl.keystore.location", own.toString())
        .containsEntry("ssl.truststore.location", authorities.toString());
  }

  @Test
  void filesWithSecretsMustBePrivate() throws Exception {
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> of(Protocol.SASL_SSL, "ada", password).of(folder, false))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    assertThat(of(Protocol.SASL_SSL, "ada", password).of(folder, true).properties())
        .containsEntry("security.protocol", "SASL_SSL");
  }

  @Test
  void refusesWhatWouldBeIgnored() {
    assertThatThrownBy(() -> of(Protocol.SASL_SSL, null, null)).hasMessageContaining("username");
    assertThatThrownBy(() -> of(Protocol.SASL_SSL, "ada", null)).hasMessageContaining("username");
    assertThatThrownBy(() -> of(Protocol.SSL, "ada", password)).hasMessageContaining("sasl_ssl");
    assertThatThrownBy(() -> of(null, "ada", password)).hasMessageContaining("sasl_ssl");
    assertThatThrownBy(() ->
            new KafkaSecurityProperties(Protocol.PLAINTEXT, folder, null, MECHANISM, null, null))
        .hasMessageContaining("plaintext");
    assertThatThrownBy(() -> new KafkaSecurityProperties(null, null, null, "PLAIN", null, null))
        .hasMessageContaining("mechanism");
  }
}
