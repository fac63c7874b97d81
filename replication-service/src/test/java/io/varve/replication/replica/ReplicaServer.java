package io.varve.replication.replica;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.stats.Pools;
import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.ShardCopy;
import io.varve.host.http.CopyEndpoints;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.host.http.ShardRoutes;
import io.varve.host.http.SnapshotEndpoints;
import io.varve.http.internal.InternalRoutes;
import io.varve.http.internal.InternalServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoints of the nodes of a {@link ReplicaWorld}, all on one port. Requests to the
 * primary's node are recorded; each request can be made to wait or fail.
 */
final class ReplicaServer implements AutoCloseable {

  static final List<String> NODES = List.of("n1", "n2", "n3", "n4", "n5", "n6", "n9");

  /** Intercepts each request for a snapshot or a file before it is answered. */
  interface Gate {
    /** May block; an exception becomes the response. */
    void pass(String method, String rest) throws IOException, InterruptedException;
  }

  private final Function<String, @Nullable ShardCopy> copies;
  private final Predicate<String> primarys;
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** The gates before requests to replicas, by node. */
  final Map<String, Gate> gates = new ConcurrentHashMap<>();

  /** The gate before requests to the primary's node. */
  volatile Gate gate = (method, rest) -> {};

  /** Nodes with a request that waits or has waited until their copy is open. */
  final Set<String> awaited = ConcurrentHashMap.newKeySet();

  /** The requests for files of the primary's node, as {@code name range}. */
  final List<String> filesAsked = new CopyOnWriteArrayList<>();

  /**
   * @param copies the copy of a node
   * @param primarys whether a node is that of the primary
   */
  ReplicaServer(Function<String, @Nullable ShardCopy> copies, Predicate<String> primarys) {
    this.copies = copies;
    this.primarys = primarys;
  }

  void start() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    ContextHandlerCollection all = new ContextHandlerCollection();
    NODES.forEach(node -> all.addHandler(handler(node)));
    server.setHandler(all);
    server.start();
  }

  private ServletContextHandler handler(String node) {
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    ShardEndpoints.all(Stream.of(new SnapshotEndpoints(), new MergedSegmentEndpoints()))
        .forEach((name, endpoint) -> endpoints.put(name, gated(node, name, endpoint)));
    String durable = "GET durable";
    endpoints.put(
        durable,
        gated(
            node,
            durable,
            Objects.requireNonNull(
                new CopyEndpoints(1_000, System::nanoTime).byName().get(durable))));
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/" + node);
    context.addServlet(
        new ServletHolder(
            new InternalServlet(
                new InternalRoutes(
                    new ShardRoutes(copiesOf(node), new Pools()).of(endpoints).routes(),
                    new SimpleMeterRegistry(),
                    System::nanoTime))),
        "/_internal/shards/*");
    return context;
  }

  private HostedCopies copiesOf(String node) {
    return new HostedCopies() {
      @Override
      public Optional<ShardCopy> copy(ShardId shard) {
        return Optional.ofNullable(copies.apply(node));
      }

      @Override
      public boolean isClosing(ShardId shard) {
        return false;
      }

      @Override
      public Optional<ShardCopy> await(ShardId shard, long waitMillis) throws InterruptedException {
        return waitMillis == 0 ? copy(shard) : awaitOpen(node, waitMillis);
      }
    };
  }

  /** A copy was created or has changed its state. */
  void copyChanged() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Optional<ShardCopy> awaitOpen(String node, long waitMillis) throws InterruptedException {
    awaited.add(node);
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    lock.lock();
    try {
      Optional<ShardCopy> open = openOn(node);
      while (open.isEmpty() && leftNanos > 0) {
        leftNanos = changed.awaitNanos(leftNanos);
        open = openOn(node);
      }
      return open;
    } finally {
      lock.unlock();
    }
  }

  private Optional<ShardCopy> openOn(String node) {
    return Optional.ofNullable(copies.apply(node)).filter(HostedCopies::isOpen);
  }

  /** Records requests to the primary's node. */
  private ShardEndpoint gated(String node, String name, ShardEndpoint endpoint) {
    return (ShardCopy copy,
        String rest,
        HttpServletRequest request,
        HttpServletResponse response) -> {
      if (!primarys.test(node)) {
        gates.getOrDefault(node, (_, _) -> {}).pass(name, rest);
        endpoint.handle(copy, rest, request, response);
        return;
      }
      gate.pass(name, rest);
      if (name.endsWith("bundle")) {
        for (String file : request.getParameter("names").split(",", -1)) {
          filesAsked.add(file + " whole");
        }
      }
      if (name.endsWith("files")) {
        filesAsked.add(rest + " " + request.getHeader("Range"));
      }
      endpoint.handle(copy, rest, request, response);
    };
  }

  /** The URL of node n1. */
  String url() {
    return url("n1");
  }

  String url(String node) {
    return "http://127.0.0.1:" + connector.getLocalPort() + "/" + node;
  }

  @Override
  public void close() throws Exception {
    server.stop();
  }
}
