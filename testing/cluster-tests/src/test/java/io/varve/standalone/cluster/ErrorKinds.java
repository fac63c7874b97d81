package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;

/**
 * Counts the errors that clients received, and keeps those that no fault can explain:
 *
 * <ul>
 *   <li>500: a bug of the server;
 *   <li>404 with an error, because clients address only existing indices (a missing document is not
 *       an error);
 *   <li>any error without type or reason, including the errors in {@code root_cause}.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class ErrorKinds {

  private static final int MOST_KEPT = 20;

  private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();
  private final List<String> unexcused = new CopyOnWriteArrayList<>();

  /** Counts a missing response: the coordinator was killed, or is not up yet. */
  void noAnswer() {
    count("no answer");
  }

  /** Counts a response of any status. */
  void answered(String request, int status, JsonNode body) {
    JsonNode error = body.path("error");
    if (error.isMissingNode()) {
      body.path("items").forEach(item -> item.forEach(done -> item(request, done)));
      return;
    }
    String type = error.path("type").asString("");
    count(status + " " + type);
    boolean reasoned = isReasoned(error) && !error.path("root_cause").isEmpty();
    for (JsonNode cause : error.path("root_cause")) {
      reasoned &= isReasoned(cause);
    }
    if (status == 500 || status == 404 || !reasoned) {
      keep(request + ": " + status + " " + body);
    }
  }

  private void item(String request, JsonNode done) {
    JsonNode error = done.path("error");
    if (!error.isMissingNode()) {
      int status = done.path("status").asInt(0);
      count(status + " " + error.path("type").asString("") + " (item)");
      if (status == 500 || status == 404 || !isReasoned(error)) {
        keep(request + ": " + done);
      }
    }
  }

  /** Counts a response that is not JSON. */
  void unreadable(String request, int status, String body) {
    keep(request + ": " + status + ", unreadable: " + body);
  }

  private static boolean isReasoned(JsonNode error) {
    return !error.path("type").asString("").isEmpty()
        && !error.path("reason").asString("").isEmpty();
  }

  private void count(String kind) {
    counts.computeIfAbsent(kind, _ -> new LongAdder()).increment();
  }

  private void keep(String what) {
    if (unexcused.size() < MOST_KEPT) {
      unexcused.add(what);
    }
  }

  void assertNoneIsUnexcused() {
    assertThat(unexcused).as("errors that no fault excuses; all: %s", this).isEmpty();
  }

  @Override
  public String toString() {
    return counts.toString();
  }
}
