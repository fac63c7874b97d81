package io.varve.kafka;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a real Kafka broker and controller (KRaft, combined mode) in this JVM. The broker keeps its
 * data on disk.
 *
 * <p>A single broker starts in two to three seconds. After a kill it takes about six seconds,
 * because its old registration must expire first. A short session timeout limits this delay.
 */
public final class EmbeddedBroker implements AutoCloseable {

  /** The size of the largest batch, and therefore of the largest record, that a topic accepts. */
  public static final int MAX_MESSAGE_BYTES = 16 << 20;

  /**
   * Without a limit, a controller that has lost its quorum would delay the shutdown for minutes.
   */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(8);

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);

  private final KafkaRaftServer server;
  private final BrokerConfig config;
  private final CountDownLatch ended = new CountDownLatch(1);

  private EmbeddedBroker(KafkaRaftServer server, BrokerConfig config) {
    this.server = server;
    this.config = config;
  }

  /** Formats the data folder if it is new, starts, and returns once the broker is registered. */
  public static EmbeddedBroker start(BrokerConfig asked) throws Exception {
    return start(asked, Map.of());
  }

  /**
   * @param more Kafka properties that override those set by this class
   */
  public static EmbeddedBroker start(BrokerConfig asked, Map<String, String> more)
      throws Exception {
    BrokerConfig config =
        asked.at(
            asked.ports().broker() == 0 ? FreePorts.next() : asked.ports().broker(),
            asked.ports().controller() == 0 ? FreePorts.next() : asked.ports().controller());
    Path logs = Files.createDirectories(config.data().resolve("kafka"));
    if (!Files.exists(logs.resolve("meta.properties"))) {
      format(config, logs);
    }
    Properties properties = properties(config, logs);
    properties.putAll(config.security().properties());
    properties.putAll(more);
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    EmbeddedBroker broker = new EmbeddedBroker(server, config);
    try {
      server.startup();
      config.security().createAcls(config);
    } catch (ExecutionException | TimeoutException | InterruptedException | RuntimeException e) {
      broker.close();
      throw e;
    }
    return broker;
  }

  /** Starts a single broker on free ports, for tests. */
  public static EmbeddedBroker startSingle(Path data, BrokerConfig.Flush flush) throws Exception {
    return start(BrokerConfig.single(data, new BrokerConfig.Ports(0, 0), flush));
  }

  private static void format(BrokerConfig config, Path logs) throws Exception {
    try (PrintStream silent = new PrintStream(OutputStream.nullOutputStream())) {
      new Formatter()
          .setPrintStream(silent)
          .setNodeId(config.nodeId())
          .setClusterId(clusterId(config))
          .setDirectories(List.of(logs.toString()))
          .setMetadataLogDirectory(logs.toString())
          .setControllerListenerName("CONTROLLER")
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
          .run();
    }
  }

  /**
   * Derives the cluster id from the voters. All brokers of a cluster compute the same id; brokers
   * of another cluster compute a different one, unless its voters are identical.
   */
  private static String clusterId(BrokerConfig config) {
    UUID id = UUID.nameUUIDFromBytes(config.voters().getBytes(StandardCharsets.UTF_8));
    return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()).toString();
  }

  private static Properties properties(BrokerConfig config, Path logs) {
    Properties p = new Properties();
    addListeners(p, config);
    addReplication(p, Math.min(config.brokers(), 3));
    addSizes(p);
    addThreads(p, Runtime.getRuntime().availableProcessors());
    p.put("log.dirs", logs.toString());
    p.put("broker.session.timeout.ms", "3000");
    p.put("broker.heartbeat.interval.ms", "500");
    // Write metadata changes such as new topics immediately. Concurrent changes share the next
    // write anyway.
    p.put("controller.quorum.append.linger.ms", "0");
    // A record without content tells idle brokers that the controller lives; each costs a write.
    p.put("metadata.max.idle.interval.ms", "5000");
    p.put("auto.create.topics.enable", "false");
    p.put("unclean.leader.election.enable", "false");
    p.put("group.initial.rebalance.delay.ms", "0");
    // Remove deleted records and topics from the disk within seconds.
    p.put("log.retention.check.interval.ms", "10000");
    p.put("log.segment.delete.delay.ms", "5000");
    if (config.flush() == BrokerConfig.Flush.ALWAYS) {
      p.put("log.flush.interval.messages", "1");
    }
    return p;
  }

  private static void addListeners(Properties p, BrokerConfig config) {
    p.put("process.roles", "broker,controller");
    p.put("node.id", Integer.toString(config.nodeId()));
    p.put("controller.quorum.voters", config.voters());
    p.put("controller.listener.names", "CONTROLLER");
    String protocol = config.security().protocol();
    // The listener for clients and brokers has the name of its protocol.
    p.put("inter.broker.listener.name", protocol);
    p.put(
        "listener.security.protocol.map",
        "%1$s:%1$s,CONTROLLER:%1$s,REMOTE:%1$s".formatted(protocol));
    BrokerConfig.Ports ports = config.ports();
    String listeners =
        address(protocol, config, ports.broker())
            + ","
            + address("CONTROLLER", config, ports.controller());
    String advertised = address(protocol, config, ports.advertisedPort());
    if (ports.remote().exists()) {
      listeners += "," + address("REMOTE", config, ports.remote().port());
      advertised += "," + address("REMOTE", config, ports.remote().advertised());
    }
    p.put("listeners", listeners);
    p.put("advertised.listeners", advertised);
  }

  private static String address(String listener, BrokerConfig config, int port) {
    return listener + "://" + config.host() + ":" + port;
  }

  private static void addReplication(Properties p, int copies) {
    p.put("default.replication.factor", Integer.toString(copies));
    p.put("min.insync.replicas", Integer.toString(copies > 1 ? 2 : 1));
    p.put("offsets.topic.num.partitions", "8");
    p.put("offsets.topic.replication.factor", Integer.toString(copies));
    p.put("transaction.state.log.replication.factor", Integer.toString(copies));
    p.put("transaction.state.log.min.isr", "1");
    p.put("share.coordinator.state.topic.replication.factor", Integer.toString(copies));
    p.put("share.coordinator.state.topic.min.isr", "1");
  }

  private static void addSizes(Properties p) {
    p.put("message.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));
    p.put("replica.fetch.max.bytes", Integer.toString(MAX_MESSAGE_BYTES));
    p.put("socket.request.max.bytes", Integer.toString(MAX_MESSAGE_BYTES * 4));
    p.put("log.cleaner.dedupe.buffer.size", "8388608");
    p.put("log.index.size.max.bytes", "1048576");
  }

  /** The defaults are those of a machine for a broker alone; here it is one of several programs. */
  private static void addThreads(Properties p, int processors) {
    p.put("num.io.threads", Integer.toString(Math.clamp(2L * processors, 4, 8)));
    p.put("num.network.threads", Integer.toString(Math.clamp(processors, 1, 3)));
    // Its clients are brokers, which send a few requests a second.
    p.put("listener.name.controller.num.network.threads", "1");
    p.put("background.threads", "2");
    p.put("group.coordinator.threads", "1");
  }

  /** Returns the configuration with the actual ports. */
  public BrokerConfig config() {
    return config;
  }

  public String bootstrapServers() {
    return config.host() + ":" + config.ports().advertisedPort();
  }

  /**
   * Shuts down in order, and returns after a time limit at the latest, so that the process can end.
   * That is then equivalent to a kill, which loses no data. In a process that continues, {@link
   * #awaitEnd} tells when the data folder and the ports are released.
   */
  @Override
  public void close() {
    Thread.ofPlatform()
        .daemon()
        .name("broker-close")
        .start(() -> {
          server.shutdown();
          server.awaitShutdown();
          ended.countDown();
        });
    if (!awaitEnd(CLOSE_TIMEOUT)) {
      LOG.warn("broker {} did not close within {}", config.nodeId(), CLOSE_TIMEOUT);
    }
  }

  /** Returns whether a closed broker has ended within the timeout. */
  public boolean awaitEnd(Duration timeout) {
    try {
      return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
