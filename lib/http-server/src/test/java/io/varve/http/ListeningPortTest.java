package io.varve.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port of a real server is closed while the operating system holds connections for it. */
@Timeout(300)
class ListeningPortTest {

  private static final int PATIENCE_MILLIS = 60_000;
  private static final int CLIENTS = 20;
  private static final byte[] REQUEST =
      "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);

  private final Server server = new Server();
  private final CountDownLatch allAreConnected = new CountDownLatch(1);
  private final List<Socket> sockets = new ArrayList<>();

  private static final class Answers extends Handler.Abstract.NonBlocking {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      Content.Sink.write(response, true, "done", callback);
      return true;
    }
  }

  @BeforeEach
  void createServer() {
    server.setHandler(new Answers());
  }

  @AfterEach
  void stop() throws Exception {
    allAreConnected.countDown();
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop();
  }

  @ParameterizedTest(name = "{0} selectors")
  @ValueSource(ints = {1, 2})
  void connectionsThatWereEstablishedBeforeAreAnswered(int selectors) throws Exception {
    ServerConnector connector = start(selectors);
    int port = connector.getLocalPort();
    CompletableFuture<Void> closed = closeOnceAllAreConnected(connector);

    for (int n = 0; n < CLIENTS; n++) {
      sendRequest(port);
    }
    allAreConnected.countDown();

    for (Socket socket : sockets) {
      assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
          .startsWith("HTTP/1.1 200")
          .endsWith("done");
    }
    closed.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(ConnectException.class);
  }

  private ServerConnector start(int selectors) throws Exception {
    ServerConnector connector =
        new ServerConnector(server, 0, selectors, new HttpConnectionFactory());
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.start();
    return connector;
  }

  /** The selectors accept no connection until they close the port. */
  private CompletableFuture<Void> closeOnceAllAreConnected(ServerConnector connector)
      throws InterruptedException {
    var selectors = connector.getSelectorManager().getBeans(ManagedSelector.class);
    CountDownLatch blocked = new CountDownLatch(selectors.size());
    CompletableFuture<?>[] closed =
        selectors.stream()
            .map(selector -> closeOnceAllAreConnected(selector, connector, blocked))
            .toArray(CompletableFuture[]::new);
    blocked.await();
    return CompletableFuture.allOf(closed);
  }

  private CompletableFuture<Void> closeOnceAllAreConnected(
      ManagedSelector selector, ServerConnector connector, CountDownLatch blocked) {
    ServerSocketChannel port = (ServerSocketChannel) connector.getTransport();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    selector.submit(own -> {
      blocked.countDown();
      try {
        allAreConnected.await();
        ListeningPort.closeOn(own, connector, port);
        closed.complete(null);
      } catch (IOException | InterruptedException e) {
        closed.completeExceptionally(e);
      }
    });
    return closed;
  }

  private void sendRequest(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    sockets.add(socket);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.getOutputStream().write(REQUEST);
  }
}
