package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.log.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadingSslEnginesTest {

  @TempDir Path folder;

  private final ReloadingSslEngines engines = new ReloadingSslEngines();
  private Path authorities;

  @BeforeEach
  void configure() throws Exception {
    authorities = folder.resolve("ca.pem");
    replace(TlsIdentity.named("first").certificate());
    engines.configure(config());
  }

  /** What Kafka passes to the factory: the defaults, and the properties. */
  private Map<String, Object> config() {
    Map<String, Object> given =
        new HashMap<>(
            new KafkaLogConfig("127.0.0.1:1", "test", 1_000, 1_000, 1 << 20, 1 << 20, "none")
                .withSecurity(KafkaSecurity.tls(new KafkaSecurity.PemFiles(null, authorities)))
                .consumer());
    return new HashMap<>(new ConsumerConfig(given).values());
  }

  private void replace(String content) throws IOException {
    Path next = Files.writeString(folder.resolve("next.pem"), content);
    Files.move(next, authorities, StandardCopyOption.ATOMIC_MOVE);
  }

  private String trusted() throws Exception {
    KeyStore store = Objects.requireNonNull(engines.truststore());
    X509Certificate authority =
        (X509Certificate) store.getCertificate(Collections.list(store.aliases()).getFirst());
    return authority.getSubjectX500Principal().getName();
  }

  @Test
  void aReplacedFileIsUsedByTheNextConnection() throws Exception {
    assertThat(trusted()).isEqualTo("CN=first");
    replace(TlsIdentity.named("second").certificate());
    assertThat(trusted()).isEqualTo("CN=second");
  }

  @Test
  void anUnusableFileLeavesThePreviousOneInUse() throws Exception {
    replace("nothing");
    assertThat(trusted()).isEqualTo("CN=first");
    assertThat(engines.createClientSslEngine("127.0.0.1", 1, "https").getUseClientMode()).isTrue();
    Files.delete(authorities);
    assertThat(trusted()).isEqualTo("CN=first");
    replace(TlsIdentity.named("third").certificate());
    assertThat(trusted()).isEqualTo("CN=third");
  }

  @Test
  void aMissingFileIsNamedAtTheStart() throws Exception {
    Files.delete(authorities);
    assertThatThrownBy(() -> new ReloadingSslEngines().configure(config()))
        .hasMessageContaining(authorities.toString());
  }

  @Test
  void noPasswordIsAmongTheProperties() throws Exception {
    Path password = Files.writeString(folder.resolve("password"), "canary");
    KafkaLogConfig.Security security =
        KafkaSecurity.scram(
            new KafkaSecurity.PemFiles(null, authorities),
            new KafkaSecurity.Login("SCRAM-SHA-512", "ada", password));
    assertThat(security.properties())
        .containsEntry("security.protocol", "SASL_SSL")
        .doesNotContainValue("canary");
    assertThat(security.properties().toString()).doesNotContain("canary");
    ConsumerConfig all =
        new ConsumerConfig(
            new HashMap<>(
                KafkaLogConfig.of("127.0.0.1:1", "test").withSecurity(security).consumer()));
    assertThat(all.getPassword("sasl.jaas.config")).isInstanceOf(Password.class);
    assertThat(all.getClass(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG))
        .isEqualTo(ReloadingSslEngines.class);
  }
}
