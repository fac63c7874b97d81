package io.varve.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Damage that was met in one shard's place on this node. The folder is marked as soon as a copy met
 * it, also when that copy is being closed for something else; the place is given up when it was met
 * by the copy that is there. A reason for which every file was already found good would only come
 * again, so the copy goes on with what it can read. Thread-safe.
 */
final class PlaceDamage {

  private static final Logger LOG = LoggerFactory.getLogger(PlaceDamage.class);

  /** What was met, and the assignment of the copy that met it. */
  private record Met(Goal.Copy assignment, String reason) {}

  private final Object place;
  private final Path index;
  private final Suspicions suspicions;
  private @Nullable ShardCopy suspected;
  private @Nullable Met met;

  /**
   * @param place as it is named to those who read of it
   * @param index where its segments are
   */
  PlaceDamage(Object place, Path index, Suspicions suspicions) {
    this.place = place;
    this.index = index;
    this.suspicions = suspicions;
  }

  /** Marks the folder; false when there is nothing new in it. */
  boolean suspect(ShardCopy which, String reason) {
    if (suspicions.wasVerified(index, reason)) {
      LOG.error("{} can't read what was verified, and is not given up again: {}", place, reason);
      return false;
    }
    if (!isFirst(which)) {
      return false;
    }
    suspicions.suspect(index, reason);
    return true;
  }

  @SuppressWarnings("ReferenceEquality")
  private synchronized boolean isFirst(ShardCopy which) {
    boolean first = suspected != which;
    suspected = which;
    return first;
  }

  /** The copy that is there under that assignment is to be given up; false when it is already. */
  synchronized boolean giveUp(Goal.Copy assignment, String reason) {
    if (met != null) {
      return false;
    }
    met = new Met(assignment, reason);
    return true;
  }

  /** Why the place is given up under that assignment; another one begins anew. */
  synchronized @Nullable String reason(Goal.Copy assignment) {
    if (met != null && !met.assignment().sameAs(assignment)) {
      met = null;
    }
    return met == null ? null : met.reason();
  }

  /** Before a copy is opened there: it begins without the files that are damaged. */
  void clear(boolean writes) throws IOException {
    List<String> damagedFiles = suspicions.clear(index, writes);
    if (!damagedFiles.isEmpty()) {
      LOG.warn("{} begins without the damaged files {}", place, damagedFiles);
    }
  }

  /** The folder is gone. */
  void forget() {
    suspicions.forget(index);
  }
}
