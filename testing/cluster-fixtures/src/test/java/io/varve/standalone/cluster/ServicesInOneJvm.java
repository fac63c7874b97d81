package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.CcrFollowerService;
import io.varve.coordinator.CoordinatorService;
import io.varve.host.NodeLimits;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.BrokerFolder;
import io.varve.replication.ReplicationService;
import io.varve.shard.ShardService;
import io.varve.standalone.Ports;
import io.varve.standalone.Readiness;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/**
 * A cluster whose services share the JVM of the tests: a broker, a coordinator, two nodes for
 * primaries, two for replicas, one for searches, and a folder as segment store. It is started once
 * for all tests; each test has its own indices and restarts the nodes that it stops.
 *
 * <p>Every file transfer between nodes passes a {@link CopyGate}.
 */
final class ServicesInOneJvm implements AutoCloseable {

  /** Not started with the cluster: a node that pulls from other clusters. */
  static final String PULLER = "ccr";

  static final String SEARCH_NODE = "search-1";
  private static final List<String> DATA_NODES =
      List.of("shard-1", "shard-2", "replica-1", "replica-2", SEARCH_NODE);
  private static final Duration GREEN_WITHIN = Duration.ofMinutes(5);

  /** A node timeout that exceeds any delay of heartbeats on a slow machine. */
  private static final String NEVER_SILENT_MILLIS = "60000";

  /** Exceeds any delay of the broker, which shares the JVM with all services. */
  private static final String APPEND_MILLIS = "60000";

  /** Deleted data are removed from the disk immediately. */
  private static final Map<String, String> QUICK_DELETION =
      Map.of(
          "log.initial.task.delay.ms", "500",
          "log.retention.check.interval.ms", "500",
          "log.segment.delete.delay.ms", "500");

  /** Injects the shared cluster into tests; its indices are deleted after each test. */
  static final class Shared implements ParameterResolver, AfterEachCallback {
    @Override
    public void afterEach(ExtensionContext context) throws Exception {
      Optional<ServicesInOneJvm> started = StartedOnce.find(context, ServicesInOneJvm.class);
      if (started.isPresent()) {
        started.get().gate.openForAll();
        TestIndex.deleteAll(started.get().rest);
        Patience.end(started.get().rest);
      }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ServicesInOneJvm.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return StartedOnce.in(context, ServicesInOneJvm.class, ServicesInOneJvm::start);
    }
  }

  private final Path data;
  private final Ports ports;
  private EmbeddedBroker broker;
  private final Map<String, ConfigurableApplicationContext> services =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final CopyGate gate = new CopyGate();
  private final RestCalls rest;

  private ServicesInOneJvm(Path data) throws Exception {
    this.data = data;
    ports = Ports.in(data);
    broker =
        EmbeddedBroker.start(
            BrokerConfig.single(
                data.resolve("broker"), new BrokerConfig.Ports(0, 0), BrokerConfig.Flush.OS),
            QUICK_DELETION);
    rest = new RestCalls(url());
  }

  private static ServicesInOneJvm start() throws Exception {
    ServicesInOneJvm cluster = new ServicesInOneJvm(Files.createTempDirectory("varve-services"));
    try {
      cluster.start("coordinator");
      cluster.startTogether(DATA_NODES);
      assertThat(
              Readiness.awaitGreen(cluster.url(), DATA_NODES.size() + 1, GREEN_WITHIN, () -> true))
          .as(cluster::health)
          .isTrue();
      return cluster;
    } catch (Exception | AssertionError e) {
      cluster.close();
      throw new IllegalStateException("the cluster does not start", e);
    }
  }

  private String health() {
    try {
      return rest.get("/_cluster/health").text();
    } catch (IOException e) {
      return "the coordinator does not answer: " + e.getMessage();
    }
  }

  private void startTogether(List<String> nodes) throws Exception {
    List<Callable<Object>> starts = new ArrayList<>();
    for (String node : nodes) {
      ports.of(node);
      starts.add(Executors.callable(() -> start(node)));
    }
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
      for (Future<?> started : threads.invokeAll(starts)) {
        started.get();
      }
    }
  }

  private String url() throws IOException {
    return "http://127.0.0.1:" + ports.of("coordinator");
  }

  int port(String service) throws IOException {
    return ports.of(service);
  }

  /** Starts a node, with any data in its folder. */
  void start(String node) {
    switch (node) {
      case "coordinator" ->
          service(
              node,
              CoordinatorService::start,
              "--varve.node.timeout-millis=" + NEVER_SILENT_MILLIS,
              "--varve.node.refused-timeout-millis=" + NEVER_SILENT_MILLIS,
              "--varve.leader.timeout-millis=" + NEVER_SILENT_MILLIS);
      case "shard-1", "shard-2" -> service(node, ShardService::start);
      case PULLER -> service(node, CcrFollowerService::start);
      case SEARCH_NODE -> service(node, ReplicationService::start, "--varve.node.roles=search");
      default -> service(node, ReplicationService::start);
    }
  }

  private void service(
      String name, Function<String[], ConfigurableApplicationContext> start, String... more) {
    try {
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "--varve.data=" + data.resolve(name),
                  "--varve.node-name=" + name,
                  "--varve.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                  "--varve.kafka.append-timeout-millis=" + APPEND_MILLIS,
                  "--server.port=" + ports.of(name),
                  "--spring.main.register-shutdown-hook=false"));
      if (!name.equals("coordinator")) {
        arguments.add("--varve.store.type=directory");
        arguments.add("--varve.store.directory=" + data.resolve("store"));
        arguments.add("--varve.store.upload-interval-millis=0");
      }
      arguments.addAll(List.of(more));
      services.put(
          name,
          SpringApplication.withHook(
              _ -> new WithGate(), () -> start.apply(arguments.toArray(String[]::new))));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Installs the gate in front of a service's endpoints. On a slow machine, a service that stops
   * needs longer than in production; tests modify its files afterwards.
   */
  private final class WithGate implements SpringApplicationRunListener {
    @Override
    public void contextPrepared(ConfigurableApplicationContext context) {
      NodeLimits usual = NodeLimits.DEFAULT;
      NodeLimits.Closing closing =
          new NodeLimits.Closing(Duration.ofMinutes(1), Duration.ofMinutes(5));
      ConfigurableListableBeanFactory beans = context.getBeanFactory();
      beans.registerSingleton("copyGate", gate);
      beans.registerSingleton(
          "nodeLimits", new NodeLimits(usual.answers(), usual.mergeProgress(), closing));
    }
  }

  /** Stops a node and waits until it has left the cluster, as after a crash. */
  void stop(String node) throws Exception {
    end(node);
    ForcedLeave.of(rest, bootstrapServers(), data.resolve(node));
  }

  /** As {@link #stop(String)}; runs the action while the stopped node is still a member. */
  void stop(String node, Edit whileAMember) throws Exception {
    end(node);
    whileAMember.run();
    ForcedLeave.of(rest, bootstrapServers(), data.resolve(node));
  }

  /** Restarts a node before the others detect its absence. */
  void restart(String node) {
    end(node);
    start(node);
  }

  /** Modifies the data of a stopped node. */
  @FunctionalInterface
  interface Edit {
    void run() throws Exception;
  }

  /** As {@link #restart}, with changes of its data in between. */
  void restart(String node, Edit whileStopped) throws Exception {
    end(node);
    try {
      whileStopped.run();
    } finally {
      start(node);
    }
  }

  private void end(String service) {
    services.remove(service).close();
  }

  /** Modifies the data of a stopped broker. */
  @FunctionalInterface
  interface Damage {
    void to(BrokerFolder stopped) throws Exception;
  }

  /** Stops the broker, modifies its data, and restarts it; the services keep running. */
  void whileTheBrokerIsStopped(Damage damage) throws Exception {
    BrokerConfig same = broker.config();
    BrokerFolder stopped = BrokerFolder.ofStopped(broker);
    try {
      damage.to(stopped);
    } finally {
      broker = EmbeddedBroker.start(same, QUICK_DELETION);
    }
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  RestCalls rest() {
    return rest;
  }

  /** The id of the node with that name. */
  String idOf(String node) throws IOException {
    for (JsonNode row : rest.get("/_cat/nodes?format=json&full_id=true&h=id,name").json()) {
      if (row.path("name").asString("").equals(node)) {
        return row.path("id").asString();
      }
    }
    throw new IllegalArgumentException("no node " + node);
  }

  /** Returns the files of the index's first shard on a node, without bookkeeping files. */
  Set<String> segmentFiles(String node, TestIndex index) throws IOException {
    try (Stream<Path> files = Files.list(segmentFolder(node, index))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("_"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  Path segmentFolder(String node, TestIndex index) throws IOException {
    return data.resolve(node).resolve("shards/" + index.uuid() + "/0/index");
  }

  /** Returns the folders of that index on all nodes. */
  List<Path> shardFolders(String uuid) {
    return DATA_NODES.stream()
        .map(node -> data.resolve(node).resolve("shards").resolve(uuid))
        .filter(Files::exists)
        .toList();
  }

  /** Returns the broker's folder, which has a subfolder per partition. */
  Path brokerFolder() {
    return data.resolve("broker").resolve("kafka");
  }

  CopyGate gate() {
    return gate;
  }

  /**
   * Creates an index, with one shard unless the settings specify another number, and waits until it
   * is green.
   */
  TestIndex create(String name, String settings) throws Exception {
    return create(name, settings, "{\"properties\":{\"n\":{\"type\":\"integer\"}}}");
  }

  TestIndex create(String name, String settings, String mappings) throws Exception {
    rest.call("PUT", "/" + name, "{\"settings\":" + settings + ",\"mappings\":" + mappings + "}")
        .orThrow();
    TestIndex index = new TestIndex(rest, name);
    index.awaitGreen();
    return index;
  }

  @Override
  public void close() throws IOException {
    gate.openForAll();
    rest.close();
    List.copyOf(services.keySet()).reversed().forEach(this::end);
    broker.close();
    FileSystemUtils.deleteRecursively(data);
  }
}
