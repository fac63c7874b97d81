package io.varve.coordinator.cluster;

import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.Topics;
import io.varve.control.command.ClusterCommand;
import io.varve.coordinator.CoordinatorService;
import io.varve.events.FeatureLevels;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.MessageLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Coordinators and nodes of one cluster on an embedded broker. */
abstract class CoordinatorCluster {
  static final long TIMEOUT_MILLIS = 60_000;

  /** The timeout of a request that must succeed, however busy the machine is. */
  static final long PATIENCE_MILLIS = 300_000;

  /** A parameter of requests whose changes must succeed, whether or not they are acknowledged. */
  static final String CHANGES_IN_TIME = "cluster_manager_timeout=3m";

  /** The timeout of nodes and leaders in tests where none should leave. */
  static final long NEVER_MILLIS = 600_000;

  /** The address of nodes that only send heartbeats; nothing listens there. */
  static final String REFUSING_URL = "http://127.0.0.1:1";

  static final String BROKERS_FOR_FOLLOWERS = "kafka.example:9094";

  static int clusters;

  @TempDir static Path brokerData;
  static EmbeddedBroker broker;
  static MessageLog log;

  @TempDir Path data;
  final Deque<AutoCloseable> running = new ArrayDeque<>();
  String clusterName = "";

  @BeforeAll
  static void startBroker() throws Exception {
    broker = EmbeddedBroker.startSingle(brokerData, BrokerConfig.Flush.OS);
    log =
        new KafkaMessageLog(
            KafkaLogConfig.of(broker.bootstrapServers(), "test")
                .withAppendTimeout((int) TIMEOUT_MILLIS));
  }

  @AfterAll
  static void stopBroker() throws Exception {
    log.close();
    broker.close();
  }

  @BeforeEach
  void nameCluster() {
    clusterName = "c" + ++clusters;
  }

  @AfterEach
  void stopAll() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
  }

  static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMillis(TIMEOUT_MILLIS));
  }

  ConfigurableApplicationContext startCoordinator(String name) {
    return startCoordinator(name, NEVER_MILLIS);
  }

  /** Starts a coordinator with this timeout of nodes and leaders. */
  ConfigurableApplicationContext startCoordinator(String name, long silentMillis) {
    return startCoordinator(name, silentMillis, silentMillis);
  }

  /**
   * Starts a coordinator with these timeouts.
   *
   * @param refusedMillis of nodes that refuse connections, as those of {@link #startNode} do
   * @param more further arguments
   */
  ConfigurableApplicationContext startCoordinator(
      String name, long silentMillis, long refusedMillis, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--varve.cluster-name=" + clusterName,
                "--varve.node-name=" + name,
                "--varve.data=" + data.resolve(name),
                "--varve.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "--varve.kafka.remote-bootstrap-servers=" + BROKERS_FOR_FOLLOWERS,
                "--varve.kafka.compression=zstd",
                "--varve.kafka.append-timeout-millis=" + TIMEOUT_MILLIS,
                "--varve.node.heartbeat-millis=100",
                "--varve.node.timeout-millis=" + silentMillis,
                "--varve.node.refused-timeout-millis=" + refusedMillis,
                "--varve.leader.timeout-millis=" + silentMillis,
                "--server.port=0"));
    arguments.addAll(List.of(more));
    ConfigurableApplicationContext context =
        CoordinatorService.start(arguments.toArray(String[]::new));
    running.push(context);
    return context;
  }

  static CoordinatorNode node(ConfigurableApplicationContext context) {
    return context.getBean(CoordinatorNode.class);
  }

  static String url(ConfigurableApplicationContext context) {
    return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  /** A node that only sends heartbeats. */
  final class Beating implements AutoCloseable {
    final NodeIdentity identity;
    private final Thread thread;

    Beating(String name, String role, FeatureLevels levels) throws Exception {
      // A heartbeat before the topic has a leader would delay those after it by seconds.
      log.createTopic(new Topics(clusterName, 1).nodesSpec());
      identity = NodeIdentity.open(data.resolve(name), name, Set.of(role)).at(levels);
      HeartbeatPublisher publisher =
          new HeartbeatPublisher(
              log,
              new Topics(clusterName, 1),
              identity,
              REFUSING_URL,
              data,
              InstantSource.system(),
              reason -> {});
      thread =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  while (true) {
                    publisher.beat(0);
                    Thread.sleep(100);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
    }

    @Override
    public void close() throws InterruptedException {
      thread.interrupt();
      thread.join();
    }
  }

  Beating startNode(String name, String role) throws Exception {
    return startNode(name, role, FeatureLevels.OF_THIS_RELEASE);
  }

  Beating startNode(String name, String role, FeatureLevels levels) throws Exception {
    Beating node = new Beating(name, role, levels);
    running.push(node);
    return node;
  }

  static Map<String, @Nullable String> settings(String... namesAndValues) {
    Map<String, @Nullable String> settings = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      settings.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return settings;
  }

  static ClusterCommand create(String name, String... settings) {
    return ClusterCommand.CreateIndex.of(name, settings(settings), "{}");
  }

  static HttpResponse<String> post(String url, String body) throws Exception {
    return send(
        HttpRequest.newBuilder(URI.create(url)).POST(HttpRequest.BodyPublishers.ofString(body)));
  }

  static HttpResponse<String> get(String url) throws Exception {
    return send(HttpRequest.newBuilder(URI.create(url)).GET());
  }

  static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          request
              .header("Content-Type", "application/json")
              .timeout(Duration.ofMillis(PATIENCE_MILLIS))
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
