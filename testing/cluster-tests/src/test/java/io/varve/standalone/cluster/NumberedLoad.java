package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Sends bulks of documents {@code {"n":…}} without ids and records which were acked. Each number is
 * sent once, whatever the outcome, so that both lost and duplicated documents are detected.
 */
final class NumberedLoad implements AutoCloseable {

  private static final int BULK = 20;

  /** Leaves the processors to the cluster. */
  private static final long PAUSE_MILLIS = 10;

  private static final long PAUSE_AFTER_FAILURE_MILLIS = 250;
  private static final Pattern NUMBER = Pattern.compile("\"n\":(-?\\d+)");

  private final RestCalls rest;
  private final String index;
  private final ErrorKinds errors;
  private final AtomicInteger next = new AtomicInteger();
  private final Set<Integer> acked = new ConcurrentSkipListSet<>();
  private final Thread thread;
  private volatile boolean stopped;

  /** Starts a load that runs until it is closed. */
  NumberedLoad(RestCalls rest, String index) {
    this(rest, index, new ErrorKinds());
  }

  /** Starts a load that also counts errors. */
  NumberedLoad(RestCalls rest, String index, ErrorKinds errors) {
    this.rest = rest;
    this.index = index;
    this.errors = errors;
    this.thread = Thread.ofVirtual().name("load").start(this::run);
  }

  private void run() {
    while (!stopped) {
      int from = next.getAndAdd(BULK);
      StringBuilder body = new StringBuilder();
      for (int n = from; n < from + BULK; n++) {
        body.append("{\"index\":{}}\n{\"n\":")
            .append(n)
            .append(",\"text\":\"document number ")
            .append(n)
            .append("\"}\n");
      }
      try {
        RestCalls.Answer answer =
            rest.call(
                "POST",
                "/" + index + "/_bulk?timeout=5s",
                "application/x-ndjson",
                body.toString().getBytes(UTF_8));
        errors.answered("_bulk " + index, answer.status(), answer.json());
        boolean acked = answer.status() == 200 && remember(answer.json(), from);
        pause(acked ? PAUSE_MILLIS : PAUSE_AFTER_FAILURE_MILLIS);
      } catch (IOException | JacksonException e) {
        // The outcome of this bulk is unknown, and it is not retried.
        errors.noAnswer();
        pause(PAUSE_AFTER_FAILURE_MILLIS);
      }
    }
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Returns whether the whole bulk was acked. */
  private boolean remember(JsonNode answer, int from) {
    int n = from;
    boolean all = true;
    for (JsonNode item : answer.path("items")) {
      if (item.path("index").path("status").asInt(0) == 201) {
        acked.add(n);
      } else {
        all = false;
      }
      n++;
    }
    return all;
  }

  Set<Integer> acked() {
    return acked;
  }

  int ackedCount() {
    return acked.size();
  }

  int sent() {
    return next.get();
  }

  /** Checks that each acked number is on that copy exactly once. */
  void assertEachAckedOnceOn(String copy) throws Exception {
    assertEachAckedOnceIn(CopyContents.read(rest, index, 0, copy).values());
  }

  /** Checks that each acked number is in exactly one of the documents. */
  void assertEachAckedOnceIn(Collection<String> documents) {
    SortedMap<Integer, Integer> times = new TreeMap<>();
    for (String document : documents) {
      Matcher number = NUMBER.matcher(document);
      assertThat(number.find()).as(document).isTrue();
      times.merge(Integer.parseInt(number.group(1)), 1, Integer::sum);
    }
    assertThat(times.keySet().containsAll(acked))
        .as("acked and there; missing of %d: %s", acked.size(), missing(times.keySet()))
        .isTrue();
    assertThat(times.values()).as("there once").allMatch(count -> count == 1);
  }

  private List<Integer> missing(Set<Integer> found) {
    return acked.stream().filter(n -> !found.contains(n)).limit(20).toList();
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}
