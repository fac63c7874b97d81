package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server on loopback with fixed answers by path; the query is not compared. */
public final class FakeVarve implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile String authorization = "";

  public FakeVarve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    answers.put("/", "{\"name\":\"c1\"}");
  }

  /** Answers requests for this path with this body, all others with 404. */
  public FakeVarve on(String path, String body) {
    answers.put(path, body);
    return this;
  }

  /** From now on, requests without this header {@code Authorization} get 401. */
  public void requires(String header) {
    authorization = header;
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String header = exchange.getRequestHeaders().getFirst("Authorization");
    requests.add(exchange.getRequestURI() + (header == null ? "" : " " + header));
    String body = answers.get(path);
    boolean admitted = authorization.isEmpty() || authorization.equals(header);
    byte[] bytes = (body == null || !admitted ? "{}" : body).getBytes(UTF_8);
    exchange.sendResponseHeaders(!admitted ? 401 : body == null ? 404 : 200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /** Each request: path and query, and the header {@code Authorization} if there is one. */
  public List<String> requests() {
    return requests;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String address() {
    return "127.0.0.1:" + port();
  }

  public RestCalls calls() {
    return new RestCalls("http://" + address());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
