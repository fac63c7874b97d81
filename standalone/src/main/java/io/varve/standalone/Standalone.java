package io.varve.standalone;

import io.varve.ccr.CcrFollowerService;
import io.varve.coordinator.CoordinatorService;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.process.ProcessGuard;
import io.varve.replication.ReplicationService;
import io.varve.shard.ShardService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The whole cluster in one JVM: a broker and one of each service, over the same ports and topics as
 * when they run apart.
 *
 * <p>Prints one line {@code ready URL} when it is green, stays in the foreground, ends on SIGTERM.
 */
public final class Standalone implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);
  private static final int NODES = 4;
  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  /**
   * What to start.
   *
   * @param flush {@code always} (fsync before an ack) or {@code os}
   * @param arguments for every service
   */
  public record Settings(Path data, int port, String flush, List<String> arguments) {
    public Settings {
      arguments = List.copyOf(arguments);
    }

    /** Services with no arguments of their own. */
    public Settings(Path data, int port, String flush) {
      this(data, port, flush, List.of());
    }
  }

  private final DataLock lock;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final String url;

  private Standalone(DataLock lock, String url) {
    this.lock = lock;
    this.url = url;
  }

  public static void main(String[] arguments) throws Exception {
    Options options =
        Options.parseOrExit(
            arguments,
            Set.of("data", "port", "log.flush", "node.attr.", "store", "store.", "varve."));
    Settings settings =
        new Settings(
            options.data("standalone"),
            options.number("port", 9200, 1, 65535),
            options.text("log.flush", "always"),
            serviceArguments(options));
    ProcessGuard.install();
    ProcessGuard.dumpInto(settings.data());
    CountDownLatch ended = new CountDownLatch(1);
    Standalone standalone = start(settings);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  standalone.close();
                  ended.countDown();
                },
                "varve-shutdown"));
    Optional<String> status = Readiness.awaitUp(standalone.url, NODES, START_WITHIN, () -> true);
    if (status.isEmpty()) {
      System.err.println(
          "varve: no answer within " + START_WITHIN.toSeconds() + " s; see the log above");
      System.exit(1);
    }
    Readiness.sayUnlessGreen(status.get());
    System.out.println("ready " + standalone.url);
    ended.await();
  }

  private static List<String> serviceArguments(Options options) {
    List<String> arguments = new ArrayList<>(options.serviceArguments());
    options
        .all("node.attr.")
        .forEach((key, value) -> arguments.add("--varve.node.attr." + key + "=" + value));
    return arguments;
  }

  /**
   * Starts everything; {@link #url} answers when this returns, though the shards may still be
   * opening.
   */
  public static Standalone start(Settings settings) throws Exception {
    Standalone standalone =
        new Standalone(DataLock.acquire(settings.data()), "http://127.0.0.1:" + settings.port());
    try {
      standalone.startAll(settings);
      return standalone;
    } catch (Exception | Error e) {
      standalone.close();
      throw e;
    }
  }

  /**
   * The coordinator is started while the broker starts, which takes long after a kill, and then the
   * nodes at the same time: most of each start is loading classes on one thread.
   */
  private void startAll(Settings settings) throws Exception {
    Path data = settings.data();
    Ports ports = Ports.in(data);
    BrokerConfig broker =
        BrokerConfig.single(
            data.resolve("broker"),
            new BrokerConfig.Ports(ports.of("broker"), ports.of("broker-controller")),
            BrokerConfig.Flush.of(settings.flush()));
    String[] coordinator = arguments(settings, "coordinator", settings.port(), ports);
    String[] shard = arguments(settings, "shard", ports.of("shard"), ports);
    String[] replica = arguments(settings, "replica", ports.of("replica"), ports);
    String[] ccr = arguments(settings, "ccr", ports.of("ccr"), ports);
    startTogether(
        List.of(() -> EmbeddedBroker.start(broker), () -> CoordinatorService.start(coordinator)));
    startTogether(
        List.of(
            () -> ShardService.start(shard),
            () -> ReplicationService.start(replica),
            () -> CcrFollowerService.start(ccr)));
  }

  /** Returns when all are started; they are closed in the opposite order. */
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

  private static String[] arguments(Settings settings, String name, int port, Ports ports)
      throws IOException {
    List<String> arguments = new ArrayList<>(settings.arguments());
    arguments.add("--varve.data=" + settings.data().resolve(name));
    arguments.add("--varve.node-name=" + name);
    arguments.add("--varve.kafka.bootstrap-servers=127.0.0.1:" + ports.of("broker"));
    arguments.add("--server.port=" + port);
    // The broker must outlive the services, so their contexts are closed here and in order, not by
    // hooks of their own.
    arguments.add("--spring.main.register-shutdown-hook=false");
    return arguments.toArray(String[]::new);
  }

  public String url() {
    return url;
  }

  @Override
  public void close() {
    for (AutoCloseable part : started) {
      try {
        part.close();
      } catch (Exception e) {
        LOG.warn(
            "could not end {} cleanly",
            part instanceof ConfigurableApplicationContext c ? c.getId() : part,
            e);
      }
    }
    started.clear();
    try {
      lock.close();
    } catch (IOException e) {
      LOG.warn("could not give back the lock of the data folder", e);
    }
  }
}
