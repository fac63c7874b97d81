package io.varve.standalone.load;

import io.varve.standalone.load.LoadResult.Refusal;
import io.varve.standalone.load.LoadResult.Stop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts the outcomes of documents while they are loaded. Thread-safe. */
final class LoadTally {

  private final Map<String, Refusal> refusals = new LinkedHashMap<>();
  private long acknowledged;
  private @Nullable String reason;
  private long unknown;

  synchronized long acknowledged(long documents) {
    acknowledged += documents;
    return acknowledged;
  }

  synchronized void refused(Refusal refusal) {
    refusals.merge(refusal.status() + " " + refusal.type(), refusal, Refusal::plus);
  }

  /** The first reason counts; the outcomes of all documents in flight may be unknown. */
  synchronized void stopped(String why, long documents) {
    reason = reason == null ? why : reason;
    unknown += documents;
  }

  synchronized boolean isStopped() {
    return reason != null;
  }

  synchronized LoadResult result() {
    return new LoadResult(
        acknowledged,
        new ArrayList<>(refusals.values()),
        Optional.ofNullable(reason).map(why -> new Stop(why, unknown)));
  }
}
