package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Copies that refused a read although the cluster state names them as started, mostly because their
 * process is new and is still opening them. For {@value #REST_SECONDS} s after a refusal, or until
 * it answers, such a copy is asked last; during that time, one read asks it to find out whether it
 * serves again. Thread-safe.
 */
final class RefusingCopies {

  private static final long REST_SECONDS = 1;
  private static final int MOST = 10_000;

  private final LongSupplier nanoTime;
  private final Map<String, Long> refusedAt = new ConcurrentHashMap<>();

  RefusingCopies(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void refused(CopyAddress copy) {
    if (refusedAt.size() >= MOST) {
      refusedAt.keySet().removeIf(copyId -> !isResting(copyId));
    }
    refusedAt.put(copy.copy().copyId(), nanoTime.getAsLong());
  }

  void answered(CopyAddress copy) {
    if (!refusedAt.isEmpty()) {
      refusedAt.remove(copy.copy().copyId());
    }
  }

  private boolean isResting(String copyId) {
    Long at = refusedAt.get(copyId);
    return at != null && nanoTime.getAsLong() - at < TimeUnit.SECONDS.toNanos(REST_SECONDS);
  }

  /** The same attempts, with recently refusing copies moved to the end. */
  List<ReadSchedule.Attempt> last(List<ReadSchedule.Attempt> attempts) {
    if (refusedAt.isEmpty()) {
      return attempts;
    }
    List<ReadSchedule.Attempt> ordered = new ArrayList<>();
    List<ReadSchedule.Attempt> resting = new ArrayList<>();
    for (ReadSchedule.Attempt attempt : attempts) {
      (isResting(attempt.copy().copy().copyId()) ? resting : ordered).add(attempt);
    }
    ordered.addAll(resting);
    return ordered;
  }
}
