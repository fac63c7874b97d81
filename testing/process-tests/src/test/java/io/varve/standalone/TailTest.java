package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.kafka.FreePorts;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.standalone.cluster.Child;
import io.varve.standalone.tail.Tail;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code varve tail} as a process beside a standalone: it prints each change once over several
 * runs, also across a new primary and a late record of the former one, and ends with its index.
 */
@Tag("system")
class TailTest {

  private static final Duration WITHIN = Duration.ofMinutes(3);
  private static final String INDEX = "books";

  @TempDir private static Path data;
  private static int port;
  private static Standalone varve;
  private static RestCalls rest;

  @TempDir private Path folder;
  private Process tail;
  private int runs;

  @BeforeAll
  static void start() throws Exception {
    port = FreePorts.next();
    varve = Standalone.start(new Standalone.Settings(data, port, "os", PatientLeader.arguments()));
    rest = new RestCalls(varve.url());
    assertThat(Readiness.awaitGreen(varve.url(), Standalone.NODES, WITHIN, () -> true)).isTrue();
  }

  @AfterAll
  static void stop() {
    rest.close();
    varve.close();
  }

  @AfterEach
  void kill() {
    if (tail != null) {
      tail.destroyForcibly();
    }
  }

  private void tail(String index, String... more) throws IOException {
    runs++;
    List<String> command = ChildJvm.command(Child.class.getName());
    command.addAll(List.of(Tail.class.getName(), index, "--port", Integer.toString(port)));
    command.addAll(List.of(more));
    tail =
        new ProcessBuilder(command)
            .redirectOutput(folder.resolve("out-" + runs).toFile())
            .redirectError(folder.resolve("err-" + runs).toFile())
            .start();
  }

  private void terminate() throws InterruptedException {
    tail.destroy();
    assertThat(tail.waitFor(2, TimeUnit.MINUTES)).as("ends on SIGTERM").isTrue();
  }

  private List<JsonNode> lines(int run) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("out-" + run))) {
      lines.add(Json.mapper().readTree(line));
    }
    return lines;
  }

  private List<Long> seqNos() throws IOException {
    List<Long> all = new ArrayList<>();
    for (int run = 1; run <= runs; run++) {
      lines(run).forEach(line -> all.add(line.path("_seq_no").asLong()));
    }
    return all;
  }

  private void awaitLines(int count) {
    Awaitility.await()
        .atMost(WITHIN)
        .untilAsserted(() -> assertThat(seqNos()).hasSizeGreaterThanOrEqualTo(count));
  }

  private String errors() throws IOException {
    return Files.readString(folder.resolve("err-" + runs));
  }

  private static void write(int from, int to) throws IOException {
    for (int n = from; n < to; n++) {
      rest.call("PUT", "/" + INDEX + "/_doc/" + n, "{\"n\":\n" + n + "}").orThrow();
    }
  }

  private static List<Long> upTo(int count) {
    return LongStream.range(0, count).boxed().toList();
  }

  @Test
  void printsEachChangeOnceOverSeveralRunsAndEndsWithTheIndex() throws Exception {
    rest.call("PUT", "/" + INDEX, "{\"settings\":{\"number_of_replicas\":0}}").orThrow();
    write(0, 20);
    tail(INDEX, "--from", "beginning");
    awaitLines(20);
    terminate();
    JsonNode first = lines(1).getFirst();
    assertThat(first.path("index").asString()).isEqualTo(INDEX);
    assertThat(first.path("operation").asString()).isEqualTo("index");
    assertThat(first.path("_source").path("n").asInt()).isZero();

    write(20, 40);
    tail(INDEX);
    awaitLines(40);
    long formerTerm = lines(2).getLast().path("_primary_term").asLong();
    newPrimary();
    appendLate(formerTerm, 40);
    write(40, 60);
    awaitLines(60);
    assertThat(lines(2).getLast().path("_primary_term").asLong()).isGreaterThan(formerTerm);
    terminate();
    appendLate(formerTerm, 60);
    write(60, 70);
    tail(INDEX);
    awaitLines(70);
    assertThat(seqNos()).isEqualTo(upTo(70));

    rest.call("DELETE", "/" + INDEX, "").orThrow();
    assertThat(tail.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(tail.exitValue()).isZero();
    assertThat(errors()).contains("index [" + INDEX + "] was deleted");
    assertThat(seqNos()).isEqualTo(upTo(70));
  }

  @Test
  void saysThatAnIndexDoesNotExist() throws Exception {
    tail("nothing");

    assertThat(tail.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(tail.exitValue()).isOne();
    assertThat(errors()).contains("no such index [nothing]");
  }

  /** An index that is opened again has a primary of a later term. */
  private static void newPrimary() throws IOException {
    rest.call("POST", "/" + INDEX + "/_close", "").orThrow();
    rest.call("POST", "/" + INDEX + "/_open", "").orThrow();
    rest.get("/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=120s").orThrow();
  }

  /** A record that a deposed primary sent before it learned of its successor. */
  private static void appendLate(long term, long seqNo) throws Exception {
    String uuid =
        rest.get("/" + INDEX + "/_settings")
            .orThrow()
            .json()
            .at("/" + INDEX + "/settings/index/uuid")
            .asString();
    RawRecord late =
        OperationCodec.encode(
            new Operation(term, seqNo, 1, 0, "late", null, "{\"late\":1}".getBytes(UTF_8), null));
    CompletableFuture<Long> appended = new CompletableFuture<>();
    try (KafkaMessageLog log =
        new KafkaMessageLog(
            new KafkaLogConfig(
                varve.kafka(), "late", 60_000, 60_000, 64L << 20, 15 << 20, "lz4"))) {
      log.open("varve.varve.ops." + uuid, 0)
          .append(
              late,
              new PartitionLog.AppendCallback() {
                @Override
                public void appended(long offset, long timestampMillis) {
                  appended.complete(offset);
                }

                @Override
                public void unknown(String reason) {
                  appended.completeExceptionally(new IllegalStateException(reason));
                }
              });
      assertThat(appended.get(1, TimeUnit.MINUTES)).isPositive();
    }
  }
}
