package io.varve.coordinator.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.HttpNodeClient;
import io.varve.client.HttpShardClient;
import io.varve.client.NodeClient;
import io.varve.client.NodeHttp;
import io.varve.client.SearchCall;
import io.varve.client.ShardClient;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.SearchCallHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The in-memory copies behind real HTTP, with a server for each node: searches, cancellations and
 * load reports use it, as between services. An unreachable copy breaks the connection.
 */
public final class HttpCopies implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final FakeCluster cluster;
  private final FakeShards shards;
  private final FakeNodes nodes;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();
  private final Map<String, String> attempts = new ConcurrentHashMap<>();
  private final NodeHttp http = new NodeHttp(TIMEOUT);

  HttpCopies(FakeCluster cluster, FakeShards shards, FakeNodes nodes) {
    this.cluster = cluster;
    this.shards = shards;
    this.nodes = nodes;
    serve(FakeCluster.PRIMARY_NODE);
    serve(FakeCluster.REPLICA_NODE);
  }

  /** The copy of each received attempt, by the attempt's id. */
  public Map<String, String> attempts() {
    return attempts;
  }

  ShardClient shardClient() {
    return over(
        ShardClient.class,
        Set.of("search"),
        new HttpShardClient(http, byte[]::new, _ -> 0),
        shards);
  }

  NodeClient nodeClient() {
    return over(NodeClient.class, Set.of("cancel", "load"), new HttpNodeClient(http), nodes);
  }

  private static <T> T over(Class<T> type, Set<String> overHttp, T remote, T local) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(
                    overHttp.contains(method.getName()) ? remote : local, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private void serve(String nodeId) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/_internal/shards/", exchange -> search(nodeId, exchange));
      server.createContext("/_internal/searches/", exchange -> node(nodeId, exchange));
      server.start();
      servers.add(server);
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      cluster.node(nodeId, node -> at(node, url));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static NodeInfo at(NodeInfo node, String url) {
    return new NodeInfo(
        node.nodeId(), node.name(), node.incarnation(), node.roles(), url, node.attributes());
  }

  private void search(String nodeId, HttpExchange exchange) throws IOException {
    CopyAddress copy = copy(nodeId, exchange.getRequestURI());
    String attempt = exchange.getRequestHeaders().getFirst(SearchCallHeaders.ATTEMPT);
    attempts.put(attempt, copy.copy().copyId());
    AtomicReference<NodeLoad> load = new AtomicReference<>();
    CallTerms terms =
        new CallTerms(
            ReadDemand.of(exchange.getRequestHeaders()::getFirst),
            new CallTerms.Trial(attempt, 0, load::set));
    SearchCall.Step step =
        exchange.getRequestURI().getPath().endsWith("/can-match")
            ? new SearchCall.Step.CanMatch()
            : new SearchCall.Step.Once(false);
    SearchCall call = new SearchCall(step, 0, null, null, SearchCall.Bounds.NONE, terms);
    byte[] body = exchange.getRequestBody().readAllBytes();
    try {
      byte[] answer = shards.search(copy, call, body, TIMEOUT);
      if (load.get() != null) {
        exchange.getResponseHeaders().set(SearchCallHeaders.LOAD, load.get().toHeader());
      }
      send(exchange, 200, answer);
    } catch (ApiException e) {
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("error", e.error().toMap());
      send(exchange, e.error().status(), Json.write(error));
    } catch (UnreachableException e) {
      exchange.close();
    }
  }

  private CopyAddress copy(String nodeId, URI uri) {
    String[] path = uri.getPath().split("/", -1);
    return cluster.state().indices().values().stream()
        .filter(index -> index.uuid().equals(path[3]))
        .flatMap(index -> index.shards().stream())
        .filter(shard -> shard.shard().number() == Integer.parseInt(path[4]))
        .flatMap(shard -> CopyAddress.started(cluster.state(), shard).stream())
        .filter(copy -> copy.node().nodeId().equals(nodeId))
        .findFirst()
        .orElseThrow();
  }

  private void node(String nodeId, HttpExchange exchange) throws IOException {
    NodeInfo node = cluster.state().nodes().get(nodeId);
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    if (exchange.getRequestURI().getPath().endsWith("/cancel")) {
      String name = URLDecoder.decode(query.replace("parent=", ""), StandardCharsets.UTF_8);
      nodes.cancel(node, name, TIMEOUT);
      send(exchange, 200, "{}".getBytes(StandardCharsets.UTF_8));
    } else {
      byte[] load = nodes.load(node, TIMEOUT).toHeader().getBytes(StandardCharsets.US_ASCII);
      send(exchange, 200, load);
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    servers.forEach(server -> server.stop(0));
    threads.shutdownNow();
    http.close();
  }
}
