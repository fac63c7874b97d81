package io.varve.host.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.PackedWriter;
import io.varve.host.ShardCopy;
import io.varve.host.http.ShardEndpoint;
import io.varve.memory.ParentBreaker;
import io.varve.rpc.ApiException;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.SearchCallHeaders;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchHandlerTest {

  private final SearchPool pool = new SearchPool(new SearchPool.Size(3, 2), System::nanoTime);
  private final SearchHandler handler =
      new SearchHandler(
          pool,
          new NodeTasks(InstantSource.system()),
          ParentBreaker.ofAccounted(() -> Long.MAX_VALUE));
  private final Map<String, String> headers = new HashMap<>();

  @AfterEach
  void close() {
    pool.close();
  }

  private void ask(ShardEndpoint endpoint) throws Exception {
    HttpServletResponse response =
        none(
            HttpServletResponse.class,
            (name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
    endpoint.handle(
        none(ShardCopy.class, (_, _) -> {}),
        "",
        none(HttpServletRequest.class, (_, _) -> {}),
        response);
  }

  private static final class NoBody extends ServletInputStream {
    @Override
    public int read() {
      return -1;
    }

    @Override
    public boolean isFinished() {
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  private interface Set {
    void header(Object name, Object value);
  }

  /** An object without any values; {@code set} receives its headers. */
  private static <T> T none(Class<T> type, Set set) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("setHeader")) {
                set.header(arguments[0], arguments[1]);
              }
              return switch (method.getName()) {
                case "getContentLengthLong" -> 0L;
                case "getInputStream" -> new NoBody();
                default -> null;
              };
            }));
  }

  @Test
  void whatNeedsNoWorkerIsAnsweredWithHowBusyTheNodeIsToo() throws Exception {
    ask(handler.atOnce((_, _, _, _) -> {}));

    NodeLoad said = NodeLoad.of(headers.get(SearchCallHeaders.LOAD));
    assertThat(said.queue()).isEqualTo(new NodeLoad.Queue(0, 0, 3));
    assertThat(said.tookNanos()).as("no worker had it").isEqualTo(-1);
  }

  @Test
  void soIsARefusal() {
    ShardEndpoint refusing =
        handler.atOnce((_, _, _, _) -> {
          throw new ApiException(404, "search_context_missing_exception", "gone");
        });

    assertThatThrownBy(() -> ask(refusing)).isInstanceOf(ApiException.class);

    assertThat(headers).containsKey(SearchCallHeaders.LOAD);
  }

  @Test
  void anAnswerThatTheHeapHasNoRoomForIsRefusedAndHoldsNothing() throws Exception {
    ParentBreaker small = ParentBreaker.ofAccounted(() -> 100_000);
    SearchHandler full = new SearchHandler(pool, new NodeTasks(InstantSource.system()), small);
    ShardEndpoint large =
        full.endpoint(
            "search",
            question -> {
              PackedWriter answer = new PackedWriter(16, question.largeArrays());
              answer.writeBytes(new byte[70_000]);
              return answer.toByteArray();
            });

    assertThatThrownBy(() -> ask(large))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> assertThat(e.error().type()).isEqualTo("circuit_breaking_exception"));

    small.check(100_000, "all of it");
  }
}
