package io.varve.testkit.sim;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The lowest applied seq_no over the copies that are in sync, as the leader sees it. A copy is in
 * sync from when it is started and has what the checkpoint promises, until its process is new, its
 * role changes or its place is given away.
 */
final class GlobalCheckpoint {

  private final Map<String, Progress> inSync = new HashMap<>();
  private final boolean countLaggards;
  private long value = -1;

  GlobalCheckpoint(boolean countLaggards) {
    this.countLaggards = countLaggards;
  }

  long observe(Progress progress) {
    Progress known = inSync.get(progress.copyId());
    if (known != null && !isSameCopy(known, progress)) {
      inSync.remove(progress.copyId());
      known = null;
    }
    boolean admitted = known != null || countLaggards || progress.appliedSeqNo() >= value;
    if (progress.started() && admitted) {
      inSync.put(progress.copyId(), progress);
    }
    return compute();
  }

  /** A new process begins with what its folder holds, and so does a copy whose role changed. */
  private static boolean isSameCopy(Progress known, Progress now) {
    return known.incarnation() == now.incarnation() && known.primary() == now.primary();
  }

  void retain(Set<String> copyIds) {
    for (String copyId : new HashSet<>(inSync.keySet())) {
      if (!copyIds.contains(copyId)) {
        inSync.remove(copyId);
      }
    }
  }

  private long compute() {
    if (!inSync.isEmpty()) {
      value = inSync.values().stream().mapToLong(Progress::appliedSeqNo).min().getAsLong();
    }
    return value;
  }
}
