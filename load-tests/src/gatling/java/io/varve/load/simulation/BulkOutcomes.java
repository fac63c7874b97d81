package io.varve.load.simulation;

import io.varve.events.Json;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.databind.JsonNode;

/**
 * Counts the items of bulks: acknowledged, refused because the server has too much to do, failed.
 */
final class BulkOutcomes {

  private static final int REFUSED = 429;

  private final LongAdder acknowledged = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();

  /** Counts the items of a whole bulk that got this status. */
  void answered(int status, int items) {
    if (status == REFUSED) {
      refused.add(items);
    } else if (status != 200) {
      failed.add(items);
    }
  }

  /**
   * Counts the items of an answer, and returns how many of them were not acknowledged.
   *
   * @param items items of the request
   */
  int count(String answer, int items) {
    JsonNode body = Json.mapper().readTree(answer);
    int others = 0;
    if (body.path("errors").asBoolean(false)) {
      for (JsonNode item : body.path("items")) {
        int status = item.iterator().next().path("status").asInt();
        if (status / 100 != 2) {
          others++;
          (status == REFUSED ? refused : failed).increment();
        }
      }
    }
    acknowledged.add(items - others);
    return others;
  }

  long acknowledged() {
    return acknowledged.sum();
  }

  long refused() {
    return refused.sum();
  }

  long failed() {
    return failed.sum();
  }
}
