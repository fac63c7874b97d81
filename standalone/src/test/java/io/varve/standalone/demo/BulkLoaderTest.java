package io.varve.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads documents into a server whose responses are set by each test. */
@Timeout(120)
class BulkLoaderTest {

  /** A response: the status, and for 200 the status of each document. */
  private record Planned(int status, List<Integer> statuses) {}

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentLinkedQueue<Planned> plan = new ConcurrentLinkedQueue<>();
  private final List<List<String>> bulks = new CopyOnWriteArrayList<>();
  private final List<Long> pausesMillis = new CopyOnWriteArrayList<>();
  private final List<Long> progress = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private RestCalls rest;

  private record Documents(int number) implements Corpus {
    @Override
    public String title() {
      return "documents";
    }

    @Override
    public String mapping() {
      return "{}";
    }

    @Override
    public long count() {
      return number;
    }

    @Override
    public void forEach(Consumer<String> documents) {
      IntStream.range(0, number).forEach(n -> documents.accept("{\"n\":" + n + "}"));
    }

    @Override
    public List<Question> questions() {
      return List.of();
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/a/_bulk",
        exchange -> {
          List<String> lines =
              new String(exchange.getRequestBody().readAllBytes(), UTF_8).lines().toList();
          List<String> documents = new ArrayList<>();
          for (int i = 1; i < lines.size(); i += 2) {
            assertThat(lines.get(i - 1)).isEqualTo("{\"index\":{}}");
            documents.add(lines.get(i));
          }
          bulks.add(documents);
          Planned planned = plan.poll();
          byte[] answer = answer(planned, documents.size()).getBytes(UTF_8);
          exchange.sendResponseHeaders(planned == null ? 200 : planned.status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    rest = new RestCalls("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private static String answer(Planned planned, int documents) {
    List<Integer> statuses =
        planned == null || planned.statuses.isEmpty()
            ? IntStream.range(0, documents).mapToObj(_ -> 201).toList()
            : planned.statuses;
    boolean errors = statuses.stream().anyMatch(status -> status >= 300);
    return "{\"errors\":"
        + errors
        + ",\"items\":["
        + statuses.stream().map(BulkLoaderTest::item).collect(Collectors.joining(","))
        + "]}";
  }

  private static String item(int status) {
    String error = status >= 300 ? ",\"error\":{\"type\":\"t\",\"reason\":\"on purpose\"}" : "";
    return "{\"index\":{\"status\":" + status + error + "}}";
  }

  @AfterEach
  void close() {
    rest.close();
    server.stop(0);
    threads.shutdownNow();
  }

  private long load(int documents) throws Exception {
    return new BulkLoader(rest, "a", pausesMillis::add)
        .load(new Documents(documents), progress::add);
  }

  @Test
  void everyDocumentIsSentOnceInBulksOfAThousand() throws Exception {
    assertThat(load(2_500)).isEqualTo(2_500);

    assertThat(bulks.stream().map(List::size)).containsExactlyInAnyOrder(1_000, 1_000, 500);
    assertThat(bulks.stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(2_500);
    assertThat(progress).contains(2_500L);
    assertThat(pausesMillis).isEmpty();
  }

  @Test
  void onlyWhatTheServerWasTooBusyForIsSentAgain() throws Exception {
    plan.add(new Planned(200, List.of(201, 429, 201, 429)));
    plan.add(new Planned(200, List.of(429, 201)));

    assertThat(load(4)).isEqualTo(4);

    assertThat(bulks)
        .containsExactly(
            List.of("{\"n\":0}", "{\"n\":1}", "{\"n\":2}", "{\"n\":3}"),
            List.of("{\"n\":1}", "{\"n\":3}"),
            List.of("{\"n\":1}"));
    assertThat(pausesMillis).containsExactly(50L, 100L);
  }

  @Test
  void aBulkThatIsRejectedAsAWholeIsSentAgainLaterAndLater() throws Exception {
    for (int i = 0; i < 3; i++) {
      plan.add(new Planned(429, List.of()));
    }

    assertThat(load(2)).isEqualTo(2);

    assertThat(bulks).hasSize(4).allSatisfy(bulk -> assertThat(bulk).hasSize(2));
    assertThat(pausesMillis).containsExactly(50L, 100L, 200L);
  }

  @Test
  void aServerThatStaysBusyIsGivenUp() {
    for (int i = 0; i < 12; i++) {
      plan.add(new Planned(200, List.of(429)));
    }

    assertThatThrownBy(() -> load(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("still rejected after 12 tries");
    assertThat(bulks).hasSize(12);
  }

  @Test
  void aDocumentThatIsRefusedFailsTheLoadWithTheReason() {
    plan.add(new Planned(200, List.of(201, 400)));

    assertThatThrownBy(() -> load(2))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("on purpose");
    assertThat(bulks).hasSize(1);
  }

  @Test
  void aServerThatFailsIsNotAskedAgain() {
    plan.add(new Planned(500, List.of()));

    assertThatThrownBy(() -> load(1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("status 500");
    assertThat(bulks).hasSize(1);
  }
}
