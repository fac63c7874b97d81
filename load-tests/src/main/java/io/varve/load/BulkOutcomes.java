package io.varve.load;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Counts the outcomes of bulks. Each document is acked, refused, or without an answer. Those that
 * were not acked may exist nevertheless, so their ids are kept. Thread-safe.
 */
final class BulkOutcomes {

  private final LoadClock clock;
  private final Acks acks = new Acks();
  private final List<String> unackedIds = new ArrayList<>();
  private long acked;
  private long refused;
  private long unanswered;

  /** The time until the first ack counts as a time without an ack. */
  BulkOutcomes(LoadClock clock) {
    this.clock = clock;
    acks.add(clock.nanos());
  }

  /**
   * Adds the answer to a bulk.
   *
   * @param ids of its documents, in their order
   * @return whether a document was acked
   */
  boolean answered(List<String> ids, HttpConnection.Answer answer) {
    List<String> failed = failed(ids, answer);
    boolean ack = failed.size() < ids.size();
    synchronized (this) {
      refused += failed.size();
      acked += ids.size() - failed.size();
      unackedIds.addAll(failed);
      if (ack) {
        acks.add(clock.nanos());
      }
    }
    return ack;
  }

  private static List<String> failed(List<String> ids, HttpConnection.Answer answer) {
    if (answer.status() != 200) {
      return ids;
    }
    if (BulkRun.isWithoutErrors(answer)) {
      return List.of();
    }
    List<String> failed = new ArrayList<>();
    JsonNode items = MeasuredServer.JSON.readTree(answer.body()).path("items");
    for (int i = 0; i < ids.size(); i++) {
      JsonNode item = items.path(i).path("index");
      if (item.isMissingNode() || item.has("error")) {
        failed.add(ids.get(i));
      }
    }
    return failed;
  }

  /** Adds a bulk whose connection broke. */
  synchronized void unanswered(List<String> ids) {
    unanswered += ids.size();
    unackedIds.addAll(ids);
  }

  /** The time from the last ack until the end of the load counts as a time without an ack. */
  synchronized void ended() {
    acks.add(clock.nanos());
  }

  synchronized long acked() {
    return acked;
  }

  synchronized long refused() {
    return refused;
  }

  synchronized long unanswered() {
    return unanswered;
  }

  synchronized List<String> unackedIds() {
    return List.copyOf(unackedIds);
  }

  synchronized double longestGapMillis() {
    return acks.longestGapMillis(Long.MIN_VALUE, Long.MAX_VALUE);
  }
}
