package io.varve.standalone;

import io.varve.ccr.CcrFollowerService;
import io.varve.coordinator.CoordinatorService;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.BrokerSecurity;
import io.varve.kafka.EmbeddedBroker;
import io.varve.replication.ReplicationService;
import io.varve.shard.ShardService;
import io.varve.tls.ServiceKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A whole cluster in one JVM: a broker, one instance of each service, and optionally a search node.
 * They communicate through ports and topics as separate processes do, except that the coordinator
 * calls the other nodes without HTTP.
 *
 * <p>When run as a program, it stays in the foreground, prints one line {@code ready URL} when the
 * cluster is green, and exits on SIGTERM.
 */
public final class Standalone implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);

  /**
   * The settings of a standalone.
   *
   * @param port the coordinator's REST port
   * @param flush {@code always} (fsync before an ack) or {@code os}
   * @param arguments command-line arguments passed to every service
   * @param searchNode whether there is a node for search-only copies
   * @param secured whether requests need a user and all connections use TLS
   */
  public record Settings(
      Path data,
      int port,
      String flush,
      List<String> arguments,
      boolean searchNode,
      boolean secured) {
    public Settings {
      arguments = List.copyOf(arguments);
    }

    /** Creates settings without a search node and without security. */
    public Settings(Path data, int port, String flush, List<String> arguments) {
      this(data, port, flush, arguments, false, false);
    }

    /** Creates settings without arguments for the services. */
    public Settings(Path data, int port, String flush) {
      this(data, port, flush, List.of());
    }

    /** The number of nodes of the cluster. */
    public int nodes() {
      return NODES + (searchNode ? 1 : 0);
    }
  }

  /** The number of nodes of a cluster without a search node. */
  public static final int NODES = 4;

  /** The service that exports the metrics of the JVM. */
  private static final String MEASURING = "coordinator";

  private static final List<String> JVM_METRICS = List.of("jvm", "process", "system");

  private final DataLock lock;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final String url;
  private String kafka = "";

  private Standalone(DataLock lock, String url) {
    this.lock = lock;
    this.url = url;
  }

  public static void main(String[] arguments) {
    System.exit(UpCommand.commandLine(arguments).execute(arguments));
  }

  /**
   * Starts the broker and all services. When this returns, {@link #url} serves requests; shards may
   * still be recovering.
   */
  public static Standalone start(Settings settings) throws Exception {
    Standalone standalone =
        new Standalone(
            DataLock.acquire(settings.data()),
            (settings.secured() ? "https" : "http") + "://127.0.0.1:" + settings.port());
    try {
      standalone.startAll(settings);
      return standalone;
    } catch (Exception | Error e) {
      standalone.close();
      throw e;
    }
  }

  /**
   * Starts the coordinator in parallel with the broker, which starts slowly after a kill, then all
   * data nodes in parallel: each start spends most of its time loading classes on one thread.
   */
  private void startAll(Settings settings) throws Exception {
    Path data = settings.data();
    Ports ports = Ports.in(data);
    kafka = "127.0.0.1:" + ports.of("broker");
    BrokerConfig broker =
        BrokerConfig.single(
                data.resolve("broker"),
                new BrokerConfig.Ports(ports.of("broker"), ports.of("broker-controller")),
                BrokerConfig.Flush.of(settings.flush()))
            .with(brokerSecurity(settings));
    String[] coordinator =
        arguments(settings, "coordinator", ServiceKind.COORDINATOR, settings.port(), ports);
    String[] shard =
        arguments(settings, "shard", ServiceKind.SHARD_SERVICE, ports.of("shard"), ports);
    String[] replica =
        arguments(settings, "replica", ServiceKind.REPLICATION_SERVICE, ports.of("replica"), ports);
    String[] ccr = arguments(settings, "ccr", ServiceKind.CCR_FOLLOWER, ports.of("ccr"), ports);
    startTogether(
        List.of(
            () -> EmbeddedBroker.start(broker, brokerThreads()),
            () -> CoordinatorService.start(coordinator)));
    AutoCloseable toClients = started.pop();
    List<Callable<AutoCloseable>> nodes = new ArrayList<>();
    nodes.add(() -> ShardService.start(shard));
    nodes.add(() -> ReplicationService.start(replica));
    nodes.add(() -> CcrFollowerService.start(ccr));
    if (settings.searchNode()) {
      String[] search =
          arguments(
              settings,
              "search",
              ServiceKind.REPLICATION_SERVICE,
              ports.of("search"),
              ports,
              "--varve.node.roles=search");
      nodes.add(() -> ReplicationService.start(search));
    }
    try {
      startTogether(nodes);
    } finally {
      // Closed first, so that it can answer the requests of clients while the nodes still answer
      // it.
      started.push(toClients);
    }
  }

  private static Map<String, String> brokerThreads() {
    return brokerThreads(Runtime.getRuntime().availableProcessors());
  }

  /**
   * The broker serves one process, which has few connections, and handles one request per
   * connection at a time. Its controller has the same number of request handlers as the broker.
   */
  static Map<String, String> brokerThreads(int processors) {
    return Map.of(
        "num.io.threads",
        Integer.toString(Math.clamp(processors, 2, 8)),
        "num.network.threads",
        Integer.toString(Math.clamp(processors / 2, 1, 3)),
        "background.threads",
        "1",
        // Three heartbeats fit into the session timeout. Both ends are in this process.
        "broker.heartbeat.interval.ms",
        "1000");
  }

  private static BrokerSecurity brokerSecurity(Settings settings) throws IOException {
    return settings.secured()
        ? BrokerSecurity.read(
            new SecurityFolder(settings.data())
                .broker("broker", settings.data().resolve("broker"), settings.arguments()))
        : BrokerSecurity.NONE;
  }

  /**
   * Starts the parts in parallel and waits for all of them. {@link #close} closes them in reverse
   * order.
   */
  private void startTogether(List<Callable<AutoCloseable>> parts) throws Exception {
    List<ExecutionException> failures = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("start-", 1).factory())) {
      for (Future<AutoCloseable> part : threads.invokeAll(parts)) {
        try {
          started.push(part.get());
        } catch (ExecutionException e) {
          failures.add(e);
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }

  private static String[] arguments(
      Settings settings, String name, ServiceKind service, int port, Ports ports, String... own)
      throws IOException {
    List<String> arguments = new ArrayList<>(settings.arguments());
    arguments.addAll(List.of(own));
    if (settings.secured()) {
      arguments.addAll(
          new SecurityFolder(settings.data())
              .arguments(
                  new SecurityFolder.Member(
                      name,
                      service,
                      settings.data().resolve(name),
                      ports.of(name + SecurityFolder.INTERNAL)),
                  settings.arguments()));
    }
    arguments.add("--spring.config.additional-location=classpath:/one-process/");
    arguments.add("--varve.data=" + settings.data().resolve(name));
    arguments.add("--varve.node-name=" + name);
    arguments.add("--varve.kafka.bootstrap-servers=127.0.0.1:" + ports.of("broker"));
    arguments.add("--server.port=" + port);
    // The broker must outlive the services, so close() closes their contexts in order; their
    // shutdown hooks would run concurrently.
    arguments.add("--spring.main.register-shutdown-hook=false");
    if (!name.equals(MEASURING)) {
      // The services share a JVM, whose metrics one of them exports.
      JVM_METRICS.forEach(
          prefix -> arguments.add("--management.metrics.enable." + prefix + "=false"));
    }
    return arguments.toArray(String[]::new);
  }

  public String url() {
    return url;
  }

  /** The services, without the broker. */
  List<ServletWebServerApplicationContext> services() {
    return started.stream()
        .filter(ServletWebServerApplicationContext.class::isInstance)
        .map(ServletWebServerApplicationContext.class::cast)
        .toList();
  }

  /** The bootstrap servers of the log. */
  String kafka() {
    return kafka;
  }

  @Override
  public void close() {
    for (AutoCloseable part : started) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn(
            "could not close {}",
            part instanceof ConfigurableApplicationContext c ? c.getId() : part,
            e);
      }
    }
    started.clear();
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("could not release the lock of the data folder", e);
    }
  }
}
