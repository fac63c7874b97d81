package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * One writer for each of some documents, whose value only rises, and one reader that gets them in
 * real time from any copy: what a get shows is never older than what was acked before it was sent.
 */
final class RegisterLoad implements AutoCloseable {

  private static final int REGISTERS = 8;

  private final RestCalls rest;
  private final String index;
  private final Map<Integer, Integer> acked = new ConcurrentHashMap<>();
  private final Map<Integer, Integer> sent = new ConcurrentHashMap<>();
  private final List<String> stale = new CopyOnWriteArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final List<Thread> threads;
  private volatile boolean stopped;

  RegisterLoad(RestCalls rest, String index, long seed) {
    this.rest = rest;
    this.index = index;
    threads =
        List.of(
            Thread.ofVirtual().name("register-writer").start(this::write),
            Thread.ofVirtual().name("register-reader").start(() -> read(new Random(seed))));
  }

  private void write() {
    for (int value = 1; !stopped; value++) {
      int register = value % REGISTERS;
      sent.put(register, value);
      try {
        RestCalls.Answer answer =
            rest.call(
                "PUT",
                "/" + index + "/_doc/r" + register + "?timeout=5s",
                "{\"value\":" + value + "}");
        if (answer.status() / 100 == 2) {
          acked.put(register, value);
        }
      } catch (IOException e) {
        // Nobody knows whether it was written: the next value is higher in any case.
        unanswered.incrementAndGet();
      }
    }
  }

  private void read(Random random) {
    while (!stopped) {
      int register = random.nextInt(REGISTERS);
      int least = acked.getOrDefault(register, 0);
      String preference = random.nextBoolean() ? "?preference=_replica" : "";
      try {
        RestCalls.Answer answer = rest.get("/" + index + "/_doc/r" + register + preference);
        if (answer.status() == 200) {
          compare(register, least, answer.json());
        } else if (answer.status() == 404 && least > 0) {
          stale.add("r" + register + preference + " is missing, acked " + least);
        }
      } catch (IOException | JacksonException e) {
        // A copy that does not answer is not a stale one.
        unanswered.incrementAndGet();
      }
    }
  }

  private void compare(int register, int least, JsonNode answer) {
    reads.incrementAndGet();
    int shown = answer.path("_source").path("value").asInt(-1);
    if (shown < least) {
      stale.add("r" + register + " shows " + shown + ", acked " + least + ": " + answer);
    }
  }

  int reads() {
    return reads.get();
  }

  /** In the end each register has its last acked value, or one that was sent after it. */
  void assertNothingWasStaleOrLost() throws Exception {
    assertThat(stale).as("stale gets, of %s", reads).isEmpty();
    for (Map.Entry<Integer, Integer> last : acked.entrySet()) {
      int value =
          rest.get("/" + index + "/_doc/r" + last.getKey())
              .orThrow()
              .json()
              .path("_source")
              .path("value")
              .asInt();
      assertThat(value)
          .as("r%d", last.getKey())
          .isBetween(last.getValue(), sent.get(last.getKey()));
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
