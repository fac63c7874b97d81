package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.cluster.ChaosClient.Answer;
import io.varve.standalone.cluster.Linearizability.Verdict;
import io.varve.standalone.cluster.RegisterOp.Kind;
import io.varve.standalone.cluster.RegisterOp.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Several clients write, create, delete, compare-and-set and read the same documents, and record
 * the history of each document. After some calls the clients move on to a new document, so that
 * each history remains small enough to be checked.
 */
final class SharedRegisters implements AutoCloseable {

  private static final int CLIENTS = 3;
  private static final int SLOTS = 2;
  private static final int CALLS_PER_DOCUMENT = 80;
  private static final int MOST_STATES = 300_000;

  private final ChaosClient client;
  private final String index;
  private final Map<String, List<RegisterOp>> histories = new ConcurrentSkipListMap<>();
  private final List<String> doubled = new CopyOnWriteArrayList<>();
  private final AtomicInteger[] calls = new AtomicInteger[SLOTS];
  private final AtomicInteger values = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /** The state of the document that a client read last. */
  private record Seen(String document, int value, long seqNo, long primaryTerm) {}

  SharedRegisters(ChaosClient client, String index, long seed) {
    this.client = client;
    this.index = index;
    for (int slot = 0; slot < SLOTS; slot++) {
      calls[slot] = new AtomicInteger();
    }
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(seed + i);
      threads.add(Thread.ofVirtual().name(index + "-client-" + i).start(() -> run(random)));
    }
  }

  private void run(Random random) {
    Seen seen = null;
    while (!stopped) {
      int slot = random.nextInt(SLOTS);
      String document = slot + "-" + calls[slot].getAndIncrement() / CALLS_PER_DOCUMENT;
      boolean known = seen != null && seen.document.equals(document);
      switch (random.nextInt(10)) {
        case 0, 1 -> write(document, Kind.WRITE, "_doc/" + document + "?", null);
        case 2 -> write(document, Kind.CREATE, "_create/" + document + "?", null);
        case 3 -> delete(document);
        case 4, 5 -> {
          if (known) {
            compareAndSet(seen);
          }
        }
        case 6 -> search(document);
        default -> seen = get(document, random);
      }
    }
  }

  private void compareAndSet(Seen seen) {
    String condition =
        "_doc/"
            + seen.document
            + "?if_seq_no="
            + seen.seqNo
            + "&if_primary_term="
            + seen.primaryTerm
            + "&";
    write(seen.document, Kind.COMPARE_AND_SET, condition, seen.value);
  }

  private void write(String document, Kind kind, String path, @Nullable Integer expected) {
    int value = values.incrementAndGet();
    long called = System.nanoTime();
    Optional<Answer> answer =
        client.call("PUT", "/" + index + "/" + path + "timeout=10s", "{\"value\":" + value + "}");
    long returned = System.nanoTime();
    outcome(answer, 409)
        .ifPresent(outcome ->
            add(document, new RegisterOp(kind, value, expected, outcome, called, returned)));
  }

  private void delete(String document) {
    long called = System.nanoTime();
    Optional<Answer> answer =
        client.call("DELETE", "/" + index + "/_doc/" + document + "?timeout=10s", null);
    long returned = System.nanoTime();
    outcome(answer, 404)
        .ifPresent(outcome ->
            add(document, new RegisterOp(Kind.DELETE, null, null, outcome, called, returned)));
  }

  /** Returns the outcome, or empty if the call certainly had no effect. */
  private static Optional<Outcome> outcome(Optional<Answer> answer, int refusedStatus) {
    if (answer.isEmpty() || answer.get().errorType().equals("unknown_outcome_exception")) {
      return Optional.of(Outcome.UNKNOWN);
    }
    if (answer.get().isDone()) {
      return Optional.of(Outcome.DONE);
    }
    int status = answer.get().status();
    if (status == refusedStatus) {
      return Optional.of(Outcome.REFUSED);
    }
    return status == 429 || status == 503 ? Optional.empty() : Optional.of(Outcome.UNKNOWN);
  }

  private @Nullable Seen get(String document, Random random) {
    String how =
        switch (random.nextInt(3)) {
          case 0 -> "?preference=_replica";
          case 1 -> "?consistency=strong";
          default -> "";
        };
    return get(document, how);
  }

  private @Nullable Seen get(String document, String how) {
    long called = System.nanoTime();
    Optional<Answer> answer = client.call("GET", "/" + index + "/_doc/" + document + how, null);
    long returned = System.nanoTime();
    JsonNode json = answer.map(Answer::json).orElse(null);
    if (json == null || !json.has("found")) {
      return null;
    }
    if (!json.path("found").asBoolean()) {
      add(document, RegisterOp.read(null, called, returned));
      return null;
    }
    int value = json.at("/_source/value").asInt();
    add(document, RegisterOp.read(value, called, returned));
    return new Seen(
        document, value, json.path("_seq_no").asLong(), json.path("_primary_term").asLong());
  }

  private void search(String document) {
    long called = System.nanoTime();
    Optional<Answer> answer =
        client.call(
            "POST",
            "/" + index + "/_search?consistency=strong",
            "{\"query\":{\"ids\":{\"values\":[\"" + document + "\"]}}}");
    long returned = System.nanoTime();
    if (answer.isEmpty()
        || !answer.get().isDone()
        || answer.get().json().at("/_shards/failed").asInt(1) > 0) {
      return;
    }
    JsonNode hits = answer.get().json().at("/hits/hits");
    if (hits.size() > 1) {
      doubled.add(hits.toString());
    }
    JsonNode value = hits.at("/0/_source/value");
    add(document, RegisterOp.read(value.isMissingNode() ? null : value.asInt(), called, returned));
  }

  private void add(String document, RegisterOp op) {
    List<RegisterOp> history = histories.computeIfAbsent(document, _ -> new ArrayList<>());
    synchronized (history) {
      history.add(op);
    }
  }

  /** Reads each document a last time, then checks all histories. */
  void assertLinearizable() {
    assertThat(doubled).as("[%s] ids that are there twice", index).isEmpty();
    int undecided = 0;
    int ops = 0;
    for (Map.Entry<String, List<RegisterOp>> one : histories.entrySet()) {
      get(one.getKey(), "?consistency=strong");
      List<RegisterOp> history = List.copyOf(one.getValue());
      ops += history.size();
      Verdict verdict = Linearizability.of(history, MOST_STATES);
      assertThat(verdict)
          .as("[%s] %s: %s", index, one.getKey(), history)
          .isNotEqualTo(Verdict.VIOLATED);
      undecided += verdict == Verdict.UNDECIDED ? 1 : 0;
    }
    System.out.println(
        "chaos: ["
            + index
            + "] "
            + histories.size()
            + " documents with "
            + ops
            + " calls judged, "
            + undecided
            + " undecided");
    assertThat(undecided).as("undecided").isLessThanOrEqualTo(histories.size() / 10);
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
