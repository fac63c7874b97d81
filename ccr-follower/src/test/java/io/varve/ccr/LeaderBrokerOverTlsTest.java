package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.host.ReadAhead;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.kafka.FreePorts;
import io.varve.log.Appends;
import io.varve.log.PartitionLog;
import io.varve.log.TlsIdentity;
import io.varve.log.TlsListener;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The broker of a leader has a TLS listener for other clusters, which a puller uses; it may require
 * a password.
 */
@Tag("system")
@Tag("broker")
@Timeout(300)
class LeaderBrokerOverTlsTest {

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String OPERATIONS = "there.ops.books";
  private static final ShardId SHARD = new ShardId("follower", 0);
  private static final int OPERATION_COUNT = 10;
  private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
  private static final RemoteSettings SETTINGS =
      new RemoteSettings("east", List.of(), false, "", "", "kafka.properties");

  @TempDir private Path folder;
  private final HoldingFollower follower = new HoldingFollower();
  private final LeaderClients clients =
      new LeaderClients(LeaderBrokerOverTlsTest::impatient, "ccr");
  private final HttpClient http = HttpClient.newHttpClient();
  private RemoteFiles files;
  private TlsIdentity identity;
  private EmbeddedBroker broker;
  private TlsListener listener;
  private int port;

  /**
   * @param more properties of the broker
   */
  private void listen(Map<String, String> more) throws Exception {
    files = new RemoteFiles(folder, http);
    identity = TlsIdentity.named("broker");
    port = FreePorts.next();
    BrokerConfig.Remote remote = new BrokerConfig.Remote(FreePorts.next(), port);
    broker =
        EmbeddedBroker.start(
            BrokerConfig.single(
                folder.resolve("broker"),
                new BrokerConfig.Ports(FreePorts.next(), 0, 0, remote),
                BrokerConfig.Flush.OS),
            more);
    listener = new TlsListener(identity.context(), port, remote.port());
    try (KafkaMessageLog log = PatientLogs.open(broker.bootstrapServers(), "leader")) {
      log.createTopic(new TopicSpec(OPERATIONS, 1, 1, Map.of()));
      PartitionLog partition = log.open(OPERATIONS, 0);
      Appends.await(partition, RecordHeader.fence(1, "n1"));
      for (int seqNo = 0; seqNo < OPERATION_COUNT; seqNo++) {
        byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
        Appends.await(
            partition,
            OperationCodec.encode(new Operation(1, seqNo, 1, 0, "d" + seqNo, null, source, null)));
      }
    }
  }

  @AfterEach
  void close() {
    files.close();
    http.close();
    listener.close();
    broker.close();
  }

  /** Failures are reported sooner than with the timeouts of production. */
  private static KafkaMessageLog impatient(KafkaLogConfig config) {
    return new KafkaMessageLog(
        new KafkaLogConfig(
            config.bootstrapServers(),
            config.clientId(),
            5_000,
            5_000,
            config.maxInFlightBytes(),
            config.maxRecordBytes(),
            config.compression(),
            config.fetch(),
            config.security()));
  }

  private ShardPuller.Leader leader() throws IOException {
    RemoteFiles.Kafka kafka = files.kafka(SETTINGS);
    LeaderClients.Client client =
        clients.open(
            "127.0.0.1:" + port,
            KafkaLogConfig.Fetch.DEFAULT,
            new KafkaLogConfig.Security(kafka.properties(), kafka.stores()));
    return new ShardPuller.Leader(
        client::close,
        client.open(OPERATIONS, 0),
        new LeaseKeeper(null, SHARD, "follower"),
        new ReadAhead(16 << 20));
  }

  private void trust(TlsIdentity authority) throws IOException {
    Files.writeString(folder.resolve("ca.pem"), authority.certificate());
  }

  @Test
  void thePullerReadsThroughTlsOnceTheFilesAreRight() throws Exception {
    listen(Map.of());
    try (ShardPuller puller = puller()) {
      awaitError(puller, "kafka.properties");

      trust(TlsIdentity.named("other"));
      Files.writeString(
          folder.resolve("kafka.properties"),
          """
          security.protocol=SSL
          ssl.truststore.type=PEM
          ssl.truststore.location=ca.pem
          """);
      awaitError(puller, "SslAuthenticationException");
      assertThat(follower.seqNos()).isEmpty();

      trust(identity);
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(follower.seqNos()).hasSize(OPERATION_COUNT));
    }
  }

  @Test
  void thePullerReadsFromABrokerThatRequiresAPasswordOnceItIsRight() throws Exception {
    listen(
        Map.of(
            "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,REMOTE:SASL_PLAINTEXT",
            "listener.name.remote.sasl.enabled.mechanisms",
            "PLAIN",
            "listener.name.remote.plain.sasl.jaas.config",
            LOGIN + " required user_ada=\"secret\";"));
    trust(identity);
    logInWith("wrong");
    try (ShardPuller puller = puller()) {
      awaitError(puller, "SaslAuthenticationException");
      assertThat(follower.seqNos()).isEmpty();

      logInWith("secret");
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(follower.seqNos()).hasSize(OPERATION_COUNT));
    }
  }

  private void logInWith(String password) throws IOException {
    Files.writeString(
        folder.resolve("kafka.properties"),
        """
        security.protocol=SASL_SSL
        ssl.truststore.type=PEM
        ssl.truststore.location=ca.pem
        sasl.mechanism=PLAIN
        sasl.jaas.config=%s required username="ada" password="%s";
        """
            .formatted(LOGIN, password));
  }

  private ShardPuller puller() {
    FollowRelation follow = new FollowRelation("east", "books", "leader", "n1", 1);
    return new ShardPuller(SHARD, follow, follower, this::leader, _ -> {}, InstantSource.system());
  }

  private static void awaitError(ShardPuller puller, String part) {
    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          PullerStats stats = puller.stats();
          assertThat(stats.lastError()).contains(part);
          assertThat(stats.state()).isEqualTo("WAITING");
        });
  }
}
