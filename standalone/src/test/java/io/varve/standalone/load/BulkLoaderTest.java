package io.varve.standalone.load;

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
import java.util.concurrent.atomic.AtomicInteger;
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
  private final AtomicInteger read = new AtomicInteger();
  private HttpServer server;
  private RestCalls rest;

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

  private LoadResult load(int documents) throws Exception {
    return load(documents, 4);
  }

  private LoadResult load(int documents, int connections) throws Exception {
    return new BulkLoader(rest, new BulkLoader.Settings("a", connections, 1000), pausesMillis::add)
        .load(numbered(documents), progress::add);
  }

  private Documents numbered(int documents) {
    return sink -> {
      boolean more = true;
      for (int n = 0; more && n < documents; n++) {
        more = sink.accept("{\"n\":" + n + "}", n + 1);
        read.incrementAndGet();
      }
    };
  }

  @Test
  void everyDocumentIsSentOnceInBulksOfAThousand() throws Exception {
    assertThat(load(2_500).orThrow()).isEqualTo(2_500);

    assertThat(bulks.stream().map(List::size)).containsExactlyInAnyOrder(1_000, 1_000, 500);
    assertThat(bulks.stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(2_500);
    assertThat(progress).contains(2_500L);
    assertThat(pausesMillis).isEmpty();
  }

  @Test
  void onlyWhatTheServerWasTooBusyForIsSentAgain() throws Exception {
    plan.add(new Planned(200, List.of(201, 429, 201, 429)));
    plan.add(new Planned(200, List.of(429, 201)));

    assertThat(load(4).orThrow()).isEqualTo(4);

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

    assertThat(load(2).orThrow()).isEqualTo(2);

    assertThat(bulks).hasSize(4).allSatisfy(bulk -> assertThat(bulk).hasSize(2));
    assertThat(pausesMillis).containsExactly(50L, 100L, 200L);
  }

  @Test
  void documentsAreCountedAsRefusedIfTheServerStaysTooBusy() throws Exception {
    for (int i = 0; i < 12; i++) {
      plan.add(new Planned(200, List.of(429)));
    }

    LoadResult result = load(1);

    assertThat(bulks).hasSize(12);
    assertThat(result.acknowledged()).isZero();
    assertThat(result.refusals())
        .containsExactly(
            new LoadResult.Refusal(
                429, "rejected_execution_exception", "still too busy after 12 attempts", 1, 1));
  }

  @Test
  void refusedDocumentsAreCountedByReasonAndTheLoadGoesOn() throws Exception {
    plan.add(new Planned(200, List.of(201, 400, 201, 400, 409)));

    LoadResult result = load(5);

    assertThat(bulks).hasSize(1);
    assertThat(result.acknowledged()).isEqualTo(2);
    assertThat(result.refusals())
        .containsExactly(
            new LoadResult.Refusal(400, "t", "on purpose", 2, 2),
            new LoadResult.Refusal(409, "t", "on purpose", 5, 1));
    assertThat(result.isComplete()).isFalse();
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(IOException.class)
        .hasMessage("3 documents were refused: t: on purpose");
  }

  @Test
  void aLineThatIsNoObjectIsNotSent() throws Exception {
    LoadResult result =
        new BulkLoader(rest, new BulkLoader.Settings("a", 1, 10), pausesMillis::add)
            .load(
                sink -> {
                  sink.accept("[1]", 1);
                  sink.accept("{}", 2);
                },
                progress::add);

    assertThat(bulks).containsExactly(List.of("{}"));
    assertThat(result.refusals())
        .containsExactly(
            new LoadResult.Refusal(400, "not_an_object", "the line is not a JSON object", 1, 1));
  }

  @Test
  void aRequestThatFailsEndsTheLoadAndItsDocumentsAreUnknown() throws Exception {
    plan.add(new Planned(200, List.of()));
    plan.add(new Planned(500, List.of()));

    LoadResult result = load(100_000, 1);

    assertThat(bulks).as("it is not sent again").hasSize(2);
    assertThat(read.get()).as("the input is not read to its end").isLessThan(5_000);
    assertThat(result.acknowledged()).isEqualTo(1_000);
    LoadResult.Stop stop = result.stop().orElseThrow();
    assertThat(stop.unknown()).isEqualTo(1_000);
    assertThat(stop.reason()).startsWith("status 500");
    assertThatThrownBy(result::orThrow)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a bulk failed: status 500");
  }

  @Test
  void onlyTheRestOfABulkIsUnknownIfItsRepetitionFails() throws Exception {
    plan.add(new Planned(200, List.of(201, 429, 201)));
    plan.add(new Planned(503, List.of()));

    LoadResult result = load(3);

    assertThat(result.acknowledged()).isEqualTo(2);
    assertThat(result.stop().orElseThrow().unknown()).isEqualTo(1);
  }
}
