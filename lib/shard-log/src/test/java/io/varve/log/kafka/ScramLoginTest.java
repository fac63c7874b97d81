package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.kafka.FreePorts;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TlsIdentity;
import io.varve.log.TopicSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real broker with a listener that requires TLS and a password (SASL/SCRAM). */
@Tag("system")
@Tag("broker")
class ScramLoginTest {

  private static final String USER = "books.shard";

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static int port;
  private static Path authorities;

  @TempDir Path own;
  private Path password;

  @BeforeAll
  static void start() throws Exception {
    TlsIdentity identity = TlsIdentity.named("broker");
    authorities = Files.writeString(folder.resolve("ca.pem"), identity.certificate());
    port = FreePorts.next();
    BrokerConfig.Ports ports = new BrokerConfig.Ports(0, 0, 0, new BrokerConfig.Remote(port, port));
    broker =
        EmbeddedBroker.start(
            BrokerConfig.single(folder.resolve("broker"), ports, BrokerConfig.Flush.OS),
            scramListener(identity));
  }

  private static Map<String, String> scramListener(TlsIdentity identity) {
    Map<String, String> properties = new HashMap<>();
    properties.put(
        "listener.security.protocol.map",
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,REMOTE:SASL_SSL");
    String listener = "listener.name.remote.";
    properties.put(listener + "ssl.keystore.type", "PEM");
    properties.put(listener + "ssl.keystore.certificate.chain", identity.certificate());
    properties.put(listener + "ssl.keystore.key", identity.key());
    properties.put(listener + "sasl.enabled.mechanisms", "SCRAM-SHA-512");
    properties.put(
        listener + "scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    return properties;
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @BeforeEach
  void savePassword() throws Exception {
    password = own.resolve("password");
    change("first");
  }

  /** Changes the password at the broker and in the file of the client. */
  private void change(String to) throws Exception {
    Files.writeString(password, to + "\n");
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096);
      admin
          .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(USER, info, to)))
          .all()
          .get();
    }
    // The broker learns of the change from its controller after a delay.
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptionsInstanceOf(LogException.class)
        .untilAsserted(() -> {
          try (MessageLog log = client("await")) {
            assertThat(log.topics()).isNotNull();
          }
        });
  }

  private MessageLog client(String name) {
    KafkaLogConfig.Security scram =
        KafkaSecurity.scram(
            new KafkaSecurity.PemFiles(null, authorities),
            new KafkaSecurity.Login("SCRAM-SHA-512", USER, password));
    return new KafkaMessageLog(
        new KafkaLogConfig("127.0.0.1:" + port, name, 60_000, 60_000, 64L << 20, 15 << 20, "none")
            .withSecurity(scram));
  }

  private static long appendTo(MessageLog log, String topic) throws Exception {
    log.createTopic(new TopicSpec(topic, 1, 1, Map.of()));
    return Appends.await(log.open(topic, 0), RecordHeader.fence(1, "test"));
  }

  @Test
  void topicsAreCreatedWrittenAndReadWithThePassword() throws Exception {
    try (MessageLog log = client("reader")) {
      long offset = appendTo(log, "scram.written");

      List<StoredRecord> read = new ArrayList<>();
      PartitionLog partition = log.open("scram.written", 0);
      partition.read(0, offset + 1, read::add);
      assertThat(read).hasSize(1);
    }
  }

  @Test
  void aChangedPasswordIsReadByTheNextConnection() throws Exception {
    try (MessageLog log = client("before")) {
      assertThat(appendTo(log, "scram.before")).isZero();
    }
    change("second");
    try (MessageLog log = client("after")) {
      assertThat(appendTo(log, "scram.after")).isZero();
    }
  }

  @Test
  void aWrongPasswordIsRefusedAndNotShown() throws Exception {
    Files.writeString(password, "canary");
    try (MessageLog log = client("wrong")) {
      assertThatThrownBy(() -> log.createTopic(new TopicSpec("scram.wrong", 1, 1, Map.of())))
          .isInstanceOf(LogException.class)
          .hasStackTraceContaining("invalid credentials with SASL mechanism SCRAM-SHA-512")
          .satisfies(failure -> assertThat(failure.toString()).doesNotContain("canary"));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      assertThat(admin.listTopics().names().get()).doesNotContain("scram.wrong");
    }
  }
}
