package io.varve.coordinator.rest.ccr;

import com.sun.net.httpserver.HttpServer;
import io.varve.events.Json;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A coordinator of another cluster, and a node with pullers: an HTTP server with fixed answers. */
final class RemoteCoordinator implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, String> received = new ConcurrentHashMap<>();
  private volatile byte[] pullers = Json.write(List.of());

  RemoteCoordinator() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/_internal/ccr/stats",
        exchange -> {
          exchange.sendResponseHeaders(200, pullers.length);
          exchange.getResponseBody().write(pullers);
          exchange.close();
        });
    server.start();
  }

  void answers(String path, byte[] answer) {
    answers(path, 200, answer);
  }

  /** Any other path below this one is answered with 404. */
  void answers(String path, int status, byte[] answer) {
    server.createContext(
        path,
        exchange -> {
          boolean known = exchange.getRequestURI().getPath().equals(path);
          received.put(
              path, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(known ? status : 404, known ? answer.length : -1);
          if (known) {
            exchange.getResponseBody().write(answer);
          }
          exchange.close();
        });
  }

  void reports(PullerStats... stats) {
    reports(Json.write(List.of(stats)));
  }

  void reports(byte[] stats) {
    pullers = stats;
  }

  /** The body of the newest request for that path. */
  String received(String path) {
    return received.getOrDefault(path, "");
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
