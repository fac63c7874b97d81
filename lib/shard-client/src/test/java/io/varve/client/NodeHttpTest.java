package io.varve.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ProcessCredentials;
import io.varve.rpc.ApiException;
import io.varve.rpc.SearchCallHeaders;
import io.varve.rpc.UnreadRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node that does not read, does not answer, or disconnects: the test controls its end of the
 * connection.
 */
class NodeHttpTest {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMillis(300);

  /** An idle time after which no connection is closed while a test runs. */
  private static final Duration NEVER = Duration.ofHours(1);

  private final ServerSocket node = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final BlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();
  private final Queue<String> disconnected = new ConcurrentLinkedQueue<>();
  private final NodeHttp http =
      new NodeHttp(LONG, NEVER, new ProcessCredentials.None(), disconnected::add);

  NodeHttpTest() throws IOException {
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        accepted.add(node.accept());
      }
    } catch (IOException e) {
      assertThat(node.isClosed()).isTrue();
    }
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    http.close();
    for (Socket socket : accepted) {
      socket.close();
    }
  }

  private NodeRequest post(int bytes, Duration timeout) {
    return post(node.getLocalPort(), bytes, timeout);
  }

  private static NodeRequest post(int port, int bytes, Duration timeout) {
    String url = "http://127.0.0.1:" + port + "/x";
    return new NodeRequest("POST", url, List.of(), new byte[bytes], timeout);
  }

  /** A call that ends before it is connected was not sent, so another one is made. */
  private NodeHttp.Answer sendOverALine(NodeHttp client, NodeRequest request)
      throws IOException, InterruptedException {
    while (true) {
      try {
        return client.send(request);
      } catch (NodeHttp.NotConnectedException e) {
        assertThat(node.isClosed()).isFalse();
      }
    }
  }

  private static void answer(Socket socket, String head, String body) throws IOException {
    byte[] request = new byte[4096];
    assertThat(socket.getInputStream().read(request)).isPositive();
    OutputStream out = socket.getOutputStream();
    String answer = "HTTP/1.1 " + head + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    out.write(answer.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  @Test
  void bringsStatusBodyAndLoadWhateverTheStatus() throws Exception {
    CompletableFuture<NodeHttp.Answer> call = inBackground(post(0, LONG));
    answer(accepted.take(), "503 Busy\r\n" + SearchCallHeaders.LOAD + ": 1,2", "so busy");

    NodeHttp.Answer answer = call.get();
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).asString().isEqualTo("so busy");
    assertThat(answer.load()).isEqualTo("1,2");
  }

  @Test
  void readsALargeAnswerOnlyIfThereIsRoom() throws Exception {
    String large = "x".repeat(100_000);
    List<Integer> asked = new ArrayList<>();
    CompletableFuture<NodeHttp.Answer> roomy =
        inBackground(
            post(0, LONG)
                .within(size -> {
                  asked.add(size);
                  return new byte[size];
                }));
    Socket line = accepted.take();
    answer(line, "200 OK", large);
    assertThat(roomy.get().body()).hasSize(100_000);
    assertThat(asked).containsExactly(100_000);

    CompletableFuture<NodeHttp.Answer> full =
        inBackground(
            post(0, LONG)
                .within(bytes -> {
                  throw new ApiException(429, "circuit_breaking_exception", "no room");
                }));
    answer(line, "200 OK", large);
    assertThatThrownBy(full::get).hasCauseInstanceOf(ApiException.class);
  }

  @Test
  void usesAConnectionAgain() throws Exception {
    CompletableFuture<NodeHttp.Answer> first = inBackground(post(0, LONG));
    Socket line = accepted.take();
    answer(line, "200 OK", "1");
    first.get();
    CompletableFuture<NodeHttp.Answer> second = inBackground(post(0, LONG));
    answer(line, "200 OK", "2");

    assertThat(second.get().body()).asString().isEqualTo("2");
    assertThat(accepted).isEmpty();
  }

  /**
   * The generation changes while the answer to a call is read: when the connection of that call
   * becomes idle, those of the former generation are closed already.
   */
  @Test
  void aConnectionThatBecomesIdleAfterANewGenerationIsNotUsedAgain() throws Exception {
    AtomicLong generation = new AtomicLong();
    ProcessCredentials credentials =
        new ProcessCredentials.Certificate(SSLContext.getDefault(), generation::get);
    CompletableFuture<Socket> busy = new CompletableFuture<>();
    try (NodeHttp renewing = new NodeHttp(LONG, NEVER, credentials, _ -> {})) {
      CompletableFuture<NodeHttp.Answer> call =
          inBackground(
              renewing,
              post(0, LONG)
                  .within(size -> {
                    generation.incrementAndGet();
                    var _ = inBackground(renewing, post(0, LONG));
                    busy.complete(take(accepted));
                    return new byte[size];
                  }));
      Socket former = accepted.take();
      answer(former, "200 OK", "x".repeat(NodeHttp.LARGE_BYTES));
      call.get();

      CompletableFuture<NodeHttp.Answer> next = inBackground(renewing, post(0, LONG));
      assertThat(former.getInputStream().read()).as("the former connection ends").isEqualTo(-1);
      former.close();
      answer(accepted.take(), "200 OK", "over another one");
      assertThat(next.get().body()).asString().isEqualTo("over another one");
    } finally {
      if (busy.isDone()) {
        busy.get().close();
      }
    }
  }

  private static Socket take(BlockingQueue<Socket> sockets) {
    try {
      return sockets.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void isLateWhenNothingIsAnswered() {
    assertThatThrownBy(() -> sendOverALine(http, post(10, SHORT)))
        .isInstanceOf(NodeHttp.LateException.class)
        .hasMessage("no answer within 300 ms");
  }

  @Test
  void isLateWhenTheNodeStopsReadingInTheMiddleOfTheBody() {
    assertThatThrownBy(() -> sendOverALine(http, post(64 << 20, SHORT)))
        .isInstanceOf(NodeHttp.LateException.class);
  }

  @Test
  void isLateWhenTheAnswerStopsInTheMiddle() throws Exception {
    CompletableFuture<NodeHttp.Answer> call = inBackground(post(0, Duration.ofSeconds(1)));
    Socket line = accepted.take();
    line.getOutputStream()
        .write(
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12".getBytes(StandardCharsets.US_ASCII));

    assertThatThrownBy(call::get).hasCauseInstanceOf(NodeHttp.LateException.class);
    line.close();
  }

  @Test
  void anInterruptEndsTheCallAndTheConnection() throws Exception {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                failure.completeExceptionally(
                    new AssertionError("answered " + http.send(post(0, LONG)).status()));
              } catch (IOException | InterruptedException e) {
                failure.complete(e);
              }
            });
    Socket line = accepted.take();
    assertThat(line.getInputStream().read(new byte[4096])).isPositive();
    caller.interrupt();

    assertThat(failure.get()).isInstanceOf(InterruptedException.class);
    assertThat(line.getInputStream().read()).isEqualTo(-1);
    line.close();
  }

  @Test
  void aConnectionThatTheNodeClosedMeanwhileIsNotMistakenForANodeThatIsNotThere() throws Exception {
    CompletableFuture<NodeHttp.Answer> call = inBackground(post(0, LONG));
    Socket line = accepted.take();
    assertThat(line.getInputStream().read(new byte[4096])).isPositive();
    line.close();

    assertThatThrownBy(call::get)
        .cause()
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(NodeHttp.NotConnectedException.class);
    assertThat(disconnected).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16 << 20})
  void aRequestThatAStoppingNodeHasNotReadWasNotSent(int bytes) throws Exception {
    CompletableFuture<NodeHttp.Answer> first = inBackground(post(0, LONG));
    Socket line = accepted.take();
    answer(line, "200 OK", "1");
    first.get();
    String unread =
        "HTTP/1.1 503 Busy\r\nConnection: close\r\n"
            + UnreadRequest.HEADER
            + ": true\r\nContent-Length: 0\r\n\r\n";
    line.getOutputStream().write(unread.getBytes(StandardCharsets.US_ASCII));
    line.shutdownOutput();
    Thread.ofVirtual().start(() -> drop(line));

    NodeRequest second = post(bytes, LONG);
    assertThatThrownBy(() -> http.send(second)).isInstanceOf(NodeHttp.NotConnectedException.class);
    assertThat(disconnected).containsExactly(second.url());
  }

  private static void drop(Socket line) {
    try {
      line.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void withoutAnyoneListeningNothingWasSent() throws Exception {
    // Bound, so that no other process can listen on the port meanwhile.
    try (Socket silent = new Socket()) {
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      NodeRequest request = post(silent.getLocalPort(), 0, LONG);
      assertThatThrownBy(() -> http.send(request))
          .isInstanceOf(NodeHttp.NotConnectedException.class);
      assertThat(disconnected).containsExactly(request.url());
    }
  }

  @Test
  void aCallThatIsOverBeforeItIsConnectedFailsLikeAnyOther() {
    for (int call = 0; call < 400; call++) {
      Duration timeout = Duration.ofNanos(1 + call % 2 * 1_000_000L);
      assertThatThrownBy(() -> http.send(post(0, timeout))).isInstanceOf(IOException.class);
    }
    assertThat(disconnected).isEmpty();
  }

  @Test
  void onceClosedNothingIsSent() {
    http.close();
    assertThatThrownBy(() -> http.send(post(0, LONG)))
        .isInstanceOf(NodeHttp.NotConnectedException.class);
  }

  @Test
  void asksForNoOtherProtocol() throws Exception {
    String url = "http://127.0.0.1:" + node.getLocalPort() + "/x";
    CompletableFuture<NodeHttp.Answer> call =
        inBackground(new NodeRequest("GET", url, List.of(), null, LONG));
    Socket line = accepted.take();
    byte[] request = new byte[4096];
    int length = line.getInputStream().read(request);
    line.close();

    assertThat(new String(request, 0, length, StandardCharsets.US_ASCII))
        .startsWith("GET /x HTTP/1.1")
        .doesNotContainIgnoringCase("Upgrade");
    assertThatThrownBy(call::get).hasCauseInstanceOf(IOException.class);
  }

  private CompletableFuture<NodeHttp.Answer> inBackground(NodeRequest request) {
    return inBackground(http, request);
  }

  private CompletableFuture<NodeHttp.Answer> inBackground(NodeHttp client, NodeRequest request) {
    CompletableFuture<NodeHttp.Answer> answer = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answer.complete(sendOverALine(client, request));
          } catch (IOException | InterruptedException | ApiException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }
}
