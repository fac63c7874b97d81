package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.cluster.ChaosClient.Answer;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;

/**
 * One writer whose documents have values that only increase, and one reader that reads them from
 * any copy at every consistency level. No read may be older than its guarantee:
 *
 * <pre>
 *   realtime   writes that were acked before the read was sent   get, from any copy
 *   strong     like realtime                                    get that is not realtime, search
 *   session    like realtime, by the token of the last ack      get that is not realtime, search
 *   staleness  writes acked {@value #STALENESS_MILLIS} ms before it was sent        search
 * </pre>
 */
final class RegisterLoad implements AutoCloseable {

  private static final int REGISTERS = 8;
  private static final long STALENESS_MILLIS = 1_000;

  private enum Promise {
    REALTIME,
    STRONG,
    SESSION,
    STALENESS
  }

  private final ChaosClient client;
  private final String index;
  private final Map<Integer, NavigableMap<Long, Integer>> acked = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> sent = new ConcurrentHashMap<>();
  private final List<String> stale = new CopyOnWriteArrayList<>();
  private final Map<Promise, LongAdder> reads = new ConcurrentHashMap<>();
  private final List<Thread> threads;
  private volatile String token = "";
  private volatile boolean stopped;

  RegisterLoad(ChaosClient client, String index, long seed) {
    this.client = client;
    this.index = index;
    for (int register = 0; register < REGISTERS; register++) {
      acked.put(register, new ConcurrentSkipListMap<>());
    }
    threads =
        List.of(
            Thread.ofVirtual().name(index + "-writer").start(this::write),
            Thread.ofVirtual().name(index + "-reader").start(() -> read(new Random(seed))));
  }

  private void write() {
    for (int value = 1; !stopped; value++) {
      int register = value % REGISTERS;
      sent.put(register, value);
      Optional<Answer> answer =
          client.call(
              "PUT",
              "/" + index + "/_doc/r" + register + "?timeout=5s",
              "{\"value\":" + value + "}",
              token);
      if (answer.isPresent() && answer.get().isDone()) {
        // Publish the token before the value, so that a reader's token covers every value it
        // expects; a newer token only strengthens its guarantee.
        token = answer.get().session();
        acked.get(register).put(System.nanoTime(), value);
      }
    }
  }

  private static int last(NavigableMap<Long, Integer> values) {
    Map.Entry<Long, Integer> last = values.lastEntry();
    return last == null ? 0 : last.getValue();
  }

  private void read(Random random) {
    Promise[] promises = Promise.values();
    while (!stopped) {
      Promise promise = promises[random.nextInt(promises.length)];
      read(promise, random.nextInt(REGISTERS), random);
    }
  }

  private void read(Promise promise, int register, Random random) {
    NavigableMap<Long, Integer> values = acked.get(register);
    int least =
        last(
            promise == Promise.STALENESS
                ? values.headMap(
                    System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(STALENESS_MILLIS), true)
                : values);
    String session = promise == Promise.SESSION ? token : "";
    String copy = random.nextBoolean() ? "&preference=_replica" : "";
    String how =
        switch (promise) {
          case REALTIME -> "realtime=true";
          case STRONG -> "consistency=strong";
          case SESSION -> "pretty=false";
          case STALENESS -> "max_staleness=" + STALENESS_MILLIS + "ms";
        };
    boolean search =
        promise == Promise.STALENESS || (promise != Promise.REALTIME && random.nextBoolean());
    String path =
        search
            ? "/_search?q=_id:r" + register + "&" + how
            : "/_doc/r"
                + register
                + "?"
                + how
                + (promise == Promise.REALTIME ? "" : "&realtime=false");
    client
        .call("GET", "/" + index + path + copy, null, session)
        .ifPresent(answer -> compare(promise, path + copy, least, answer));
  }

  private void compare(Promise promise, String path, int least, Answer answer) {
    JsonNode json = answer.json();
    boolean answered =
        json.has("found") || (json.has("hits") && json.at("/_shards/failed").asInt(1) == 0);
    if (!answered) {
      return;
    }
    reads.computeIfAbsent(promise, _ -> new LongAdder()).increment();
    JsonNode document = json.has("hits") ? json.at("/hits/hits/0") : json;
    int shown = document.at("/_source/value").asInt(0);
    if (shown < least) {
      stale.add(promise + " " + path + " shows " + shown + ", promised " + least + ": " + json);
    }
  }

  /** Returns the number of checked reads per consistency level. */
  Map<?, ?> reads() {
    return reads;
  }

  /**
   * Checks at the end that no read was stale, and that each register has its last acked value or a
   * value that was sent later.
   */
  void assertNothingWasStaleOrLost() {
    assertThat(stale).as("[%s] stale reads, of %s", index, reads).isEmpty();
    acked.forEach((register, values) -> {
      if (!values.isEmpty()) {
        int value =
            client
                .call("GET", "/" + index + "/_doc/r" + register, null)
                .orElseThrow()
                .json()
                .at("/_source/value")
                .asInt(0);
        assertThat(value).as("r%d", register).isBetween(last(values), sent.get(register));
      }
    });
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
