package io.varve.store;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** An HTTP server of byte ranges with fault injection, which records its requests. */
final class FileServer implements AutoCloseable {

  /** A request for the bytes {@code [from, to]} of a file. */
  record Asked(String name, long from, long to) {}

  /** A fault injected into responses. */
  interface Fault {

    /** Returns how many of the {@code length} bytes are sent before the connection breaks. */
    default int breakAfter(Asked asked, int length) {
      return length;
    }

    default byte[] change(Asked asked, byte[] bytes) {
      return bytes;
    }

    default int status(Asked asked) {
      return 206;
    }
  }

  final Map<String, byte[]> files = new ConcurrentHashMap<>();
  final List<Asked> asked = new CopyOnWriteArrayList<>();
  volatile Fault fault = new Fault() {};
  private final HttpServer server;

  FileServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/_internal/shards/u1/0/files/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  long bytesAsked() {
    return asked.stream().mapToLong(a -> a.to() - a.from() + 1).sum();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String name = path.substring(path.lastIndexOf('/') + 1);
      String[] range =
          exchange.getRequestHeaders().getFirst("Range").substring("bytes=".length()).split("-");
      Asked one = new Asked(name, Long.parseLong(range[0]), Long.parseLong(range[1]));
      asked.add(one);
      int status = files.containsKey(name) ? fault.status(one) : 404;
      if (status != 206) {
        exchange.sendResponseHeaders(status, -1);
        return;
      }
      int length = (int) (one.to() - one.from() + 1);
      byte[] part = new byte[length];
      System.arraycopy(files.get(name), (int) one.from(), part, 0, length);
      byte[] sent = fault.change(one, part);
      exchange.sendResponseHeaders(206, length);
      exchange.getResponseBody().write(sent, 0, fault.breakAfter(one, length));
      exchange.getResponseBody().flush();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
