package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.process.Ticker;
import io.varve.standalone.RestCalls;
import io.varve.standalone.cluster.ChaosClient.Answer;
import io.varve.standalone.cluster.VersionHistory.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Clients of a strongly consistent index:
 *
 * <pre>
 *   set         each adds documents with ids of its own
 *   counter     each increments one document, by compare-and-set
 *   versions    each writes, deletes and reads the same few documents
 * </pre>
 *
 * {@link UniqueAdds} and {@link VersionHistory} judge them.
 */
final class StrongLoad implements AutoCloseable {

  private static final int CLIENTS = 3;
  private static final int DOCUMENTS = 6;
  private static final String COUNTER = "counter";

  private final ChaosClient client;
  private final String index;
  private final Ticker clock;
  private final UniqueAdds set = new UniqueAdds();
  private final UniqueAdds increments = new UniqueAdds();
  private final Map<String, List<Event>> histories = new ConcurrentSkipListMap<>();
  private final AtomicInteger numbers = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  StrongLoad(ChaosClient client, String index, Ticker clock, long seed) {
    this.client = client;
    this.index = index;
    this.clock = clock;
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(seed + i);
      threads.add(Thread.ofVirtual().name(index + "-client-" + i).start(() -> run(random)));
    }
  }

  private void run(Random random) {
    while (!stopped) {
      String document = "v" + random.nextInt(DOCUMENTS);
      switch (random.nextInt(10)) {
        case 0, 1 -> addElement();
        case 2 -> increment();
        case 3, 4 -> write(document);
        case 5 -> delete(document);
        default -> {
          var _ = read(document);
        }
      }
    }
  }

  private Optional<Answer> put(String path, String body) {
    return client.call("PUT", "/" + index + "/" + path + "timeout=10s", body);
  }

  private static UniqueAdds.Outcome outcome(Optional<Answer> answer) {
    if (answer.isEmpty() || answer.get().errorType().equals("unknown_outcome_exception")) {
      return UniqueAdds.Outcome.UNKNOWN;
    }
    int status = answer.get().status();
    if (answer.get().isDone()) {
      return UniqueAdds.Outcome.DONE;
    }
    return status == 409 || status == 429 || status == 503
        ? UniqueAdds.Outcome.FAILED
        : UniqueAdds.Outcome.UNKNOWN;
  }

  private void addElement() {
    String element = "e" + numbers.incrementAndGet();
    set.add(element, outcome(put("_create/" + element + "?", "{\"value\":1}")));
  }

  private void increment() {
    Optional<Answer> before = read(COUNTER);
    if (before.isEmpty()) {
      return;
    }
    JsonNode found = before.get().json();
    String path = "_create/" + COUNTER + "?";
    int value = 1;
    if (found.path("found").asBoolean()) {
      value = found.at("/_source/value").asInt() + 1;
      path =
          "_doc/%s?if_seq_no=%d&if_primary_term=%d&"
              .formatted(
                  COUNTER, found.path("_seq_no").asLong(), found.path("_primary_term").asLong());
    }
    long calledNanos = clock.nanos();
    Optional<Answer> answer = put(path, "{\"value\":" + value + "}");
    told(COUNTER, answer, false, calledNanos);
    increments.add("i" + numbers.incrementAndGet(), outcome(answer));
  }

  private void write(String document) {
    long calledNanos = clock.nanos();
    String body = "{\"value\":" + numbers.incrementAndGet() + "}";
    told(document, put("_doc/" + document + "?", body), false, calledNanos);
  }

  private void delete(String document) {
    long calledNanos = clock.nanos();
    Optional<Answer> answer =
        client.call("DELETE", "/" + index + "/_doc/" + document + "?timeout=10s", null);
    told(document, answer, true, calledNanos);
  }

  private void told(String document, Optional<Answer> answer, boolean delete, long calledNanos) {
    long returnedNanos = clock.nanos();
    if (answer.isPresent() && answer.get().isDone()) {
      long seqNo = answer.get().json().path("_seq_no").asLong();
      add(document, new Event.Written(seqNo, delete, calledNanos, returnedNanos));
    } else if (delete && outcome(answer) == UniqueAdds.Outcome.UNKNOWN) {
      add(document, new Event.UnknownDelete(calledNanos, returnedNanos));
    }
  }

  /** A get; empty if it was not answered. */
  private Optional<Answer> read(String document) {
    long calledNanos = clock.nanos();
    Optional<Answer> answer =
        client
            .call("GET", "/" + index + "/_doc/" + document, null)
            .filter(one -> one.json().has("found"));
    long returnedNanos = clock.nanos();
    answer.ifPresent(one -> {
      JsonNode json = one.json();
      boolean found = json.path("found").asBoolean();
      add(
          document,
          new Event.Read(found ? json.path("_seq_no").asLong() : null, calledNanos, returnedNanos));
    });
    return answer;
  }

  private void add(String document, Event event) {
    List<Event> history = histories.computeIfAbsent(document, _ -> new ArrayList<>());
    synchronized (history) {
      history.add(event);
    }
  }

  /** Reads everything a last time; the cluster must be green. */
  void assertNothingIsBroken() {
    histories.keySet().forEach(this::read);
    histories.forEach((document, history) ->
        assertThat(VersionHistory.violations(List.copyOf(history)))
            .as("[%s] %s", index, document)
            .isEmpty());
    Set<String> present = new TreeSet<>();
    for (String element : set.elements()) {
      if (isFound(element)) {
        present.add(element);
      }
    }
    assertThat(set.violations(present)).as("[%s] set: %s", index, set).isEmpty();
    assertThat(increments.violations(counter()))
        .as("[%s] counter: %s", index, increments)
        .isEmpty();
    System.out.println(
        "chaos: [%s] set: %s; counter: %s; %d reads and writes of %d documents"
            .formatted(
                index,
                set,
                increments,
                histories.values().stream().mapToInt(List::size).sum(),
                histories.size()));
  }

  private JsonNode get(String id) {
    return client
        .call("GET", "/" + index + "/_doc/" + id, null)
        .filter(answer -> answer.json().has("found"))
        .orElseThrow(() -> new AssertionError("no answer to a get of " + id))
        .json();
  }

  private boolean isFound(String id) {
    return get(id).path("found").asBoolean();
  }

  private long counter() {
    return get(COUNTER).at("/_source/value").asLong();
  }

  /** Proves all records, which changes no document, and leaves none that is not replicated. */
  static void assertAPeekChangesNothing(RestCalls rest, String index) throws Exception {
    Map<String, String> before = contents(rest, index);
    rest.call("POST", "/" + index + "/_rereplicate?method=peek&wait_for_completion=true", "")
        .orThrow();
    assertThat(contents(rest, index)).isEqualTo(before);
    assertThat(unreplicated(rest, index)).isZero();
  }

  private static Map<String, String> contents(RestCalls rest, String index) throws Exception {
    Map<String, String> all = new ConcurrentSkipListMap<>();
    for (String copy : List.of("_primary", "_replica")) {
      CopyContents.read(rest, index, 0, copy).forEach((id, what) -> all.put(copy + id, what));
    }
    return all;
  }

  private static long unreplicated(RestCalls rest, String index) throws IOException {
    return rest.get("/_cat/replication/" + index + "?format=json")
        .orThrow()
        .json()
        .path(0)
        .path("unreplicated_records")
        .asLong(-1);
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
