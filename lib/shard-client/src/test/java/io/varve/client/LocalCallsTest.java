package io.varve.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.local.LocalNode;
import io.varve.cluster.local.LocalNodes;
import io.varve.rpc.SearchCallHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls of a node of the same process, which answers, is slow or fails. */
class LocalCallsTest {

  private static final String URL = "http://127.0.0.1:9301";
  private static final Duration LONG = Duration.ofMinutes(2);

  private final LocalNodes nodes = new LocalNodes();
  private final LocalCalls calls = new LocalCalls(nodes, null);

  @FunctionalInterface
  private interface Handler {
    LocalNode.Answer handle(LocalNode.Request request) throws IOException;
  }

  private void listed(Handler handler) {
    nodes.add(
        URL,
        new LocalNode() {
          @Override
          public boolean serves(Request request) {
            return request.path().startsWith("/_internal");
          }

          @Override
          public Answer handle(Request request) throws IOException {
            return handler.handle(request);
          }
        });
  }

  private static LocalNode.Answer answer(String text) {
    return new LocalNode.Answer(200, Map.of(SearchCallHeaders.LOAD, "7"), text.getBytes(UTF_8));
  }

  private static NodeRequest get(String path, Duration timeout) {
    return new NodeRequest("GET", URL + path, List.of(), null, timeout).header("A", "b");
  }

  /** A node that answers only after {@code end}. */
  private static Handler busy(CountDownLatch began, CountDownLatch end) {
    return _ -> {
      began.countDown();
      try {
        end.await();
      } catch (InterruptedException e) {
        throw new IOException("a node is never interrupted", e);
      }
      return answer("late");
    };
  }

  @Test
  void the_node_gets_the_request_and_the_caller_its_answer() throws Exception {
    listed(
        request -> answer(request.method() + " " + request.target() + " " + request.header("a")));

    NodeHttp.Answer got =
        calls.send(get("/_internal/x?y=1", LONG), new Abort(), null).orElseThrow();

    assertThat(got.status()).isEqualTo(200);
    assertThat(new String(got.body(), UTF_8)).isEqualTo("GET /_internal/x?y=1 b");
    assertThat(got.load()).isEqualTo("7");
  }

  @Test
  void an_answer_in_pieces_reaches_its_reader_before_its_end() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    List<String> pieces = new CopyOnWriteArrayList<>();
    nodes.add(
        URL,
        new LocalNode() {
          @Override
          public boolean serves(Request request) {
            return true;
          }

          @Override
          public Answer handle(Request request) {
            return answer("whole");
          }

          @Override
          public Answer handle(Request request, Consumer<byte[]> flushed) throws IOException {
            flushed.accept("first".getBytes(UTF_8));
            try {
              arrived.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return answer("last");
          }
        });

    NodeHttp.Answer got =
        calls
            .send(
                get("/_internal/x", LONG),
                new Abort(),
                (piece, length) -> {
                  pieces.add(new String(piece, 0, length, UTF_8));
                  arrived.countDown();
                })
            .orElseThrow();

    assertThat(pieces).containsExactly("first", "last");
    assertThat(got.body()).isEmpty();
    assertThat(got.load()).isEqualTo("7");
  }

  @Test
  void other_nodes_and_other_endpoints_are_left_to_http() throws Exception {
    assertThat(calls.send(get("/_internal/x", LONG), new Abort(), null)).isEmpty();
    listed(_ -> answer("not called"));
    assertThat(calls.send(get("/_cat/nodes", LONG), new Abort(), null)).isEmpty();
    assertThat(
            calls.send(
                new NodeRequest("GET", "http://127.0.0.1:9302/_internal/x", List.of(), null, LONG),
                new Abort(),
                null))
        .isEmpty();
  }

  @Test
  void a_node_that_is_no_longer_listed_is_left_to_http() throws Exception {
    LocalNode node =
        new LocalNode() {
          @Override
          public boolean serves(Request request) {
            return true;
          }

          @Override
          public Answer handle(Request request) {
            return answer("");
          }
        };
    nodes.add(URL, node);
    nodes.remove(node);

    assertThat(calls.send(get("/_internal/x", LONG), new Abort(), null)).isEmpty();
  }

  @Test
  void a_late_node_continues_without_its_caller() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    listed(busy(began, end));

    assertThatThrownBy(
            () -> calls.send(get("/_internal/x", Duration.ofMillis(1)), new Abort(), null))
        .isInstanceOf(NodeHttp.LateException.class);

    began.await();
    end.countDown();
  }

  @Test
  void an_abort_ends_the_call() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    listed(busy(began, end));
    Abort abort = new Abort();
    FutureTask<Object> call =
        new FutureTask<>(() -> calls.send(get("/_internal/x", LONG), abort, null));
    Thread.ofVirtual().start(call);
    began.await();

    abort.abort();

    assertThatThrownBy(call::get).hasCauseInstanceOf(NodeHttp.AbortedException.class);
    end.countDown();
  }

  @Test
  void an_interrupt_ends_the_call() throws Exception {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    listed(busy(began, end));
    FutureTask<Object> call =
        new FutureTask<>(() -> calls.send(get("/_internal/x", LONG), new Abort(), null));
    Thread caller = Thread.ofVirtual().start(call);
    began.await();

    caller.interrupt();

    assertThatThrownBy(call::get).hasCauseInstanceOf(InterruptedException.class);
    end.countDown();
  }

  @Test
  void a_failure_of_the_node_is_a_broken_connection() {
    listed(_ -> {
      throw new IOException("reset");
    });
    assertThatThrownBy(() -> calls.send(get("/_internal/x", LONG), new Abort(), null))
        .isInstanceOf(IOException.class)
        .hasMessage("reset");

    listed(_ -> {
      throw new IllegalStateException("broken");
    });
    assertThatThrownBy(() -> calls.send(get("/_internal/x", LONG), new Abort(), null))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("broken");
  }

  @Test
  void a_large_answer_is_read_only_if_the_heap_has_room() throws Exception {
    listed(_ -> answer("x".repeat(NodeHttp.LARGE_BYTES)));
    List<Integer> sizes = new ArrayList<>();
    NodeRequest request =
        get("/_internal/x", LONG)
            .within(size -> {
              sizes.add(size);
              return new byte[size];
            });

    assertThat(calls.send(request, new Abort(), null).orElseThrow().body())
        .hasSize(NodeHttp.LARGE_BYTES);
    assertThat(sizes).containsExactly(NodeHttp.LARGE_BYTES);
  }
}
