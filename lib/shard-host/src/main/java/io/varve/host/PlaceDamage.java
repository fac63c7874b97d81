package io.varve.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Damage found in the folder of one shard on this node. The folder is marked as soon as a copy
 * finds damage, even while that copy is closed for another reason. If the current copy found the
 * damage, it is closed and reported as failed. If all files were verified after the same damage was
 * reported, another report would not help: the copy continues with the data that it can read.
 * Thread-safe.
 */
final class PlaceDamage {

  private static final Logger LOG = LoggerFactory.getLogger(PlaceDamage.class);

  /** The damage, and the assignment of the copy that found it. */
  private record Met(Goal.Copy assignment, String reason) {}

  private final Object place;
  private final Path index;
  private final Suspicions suspicions;
  private @Nullable ShardCopy suspected;
  private @Nullable Met met;

  /**
   * @param place the name of the place in logs
   * @param index the folder of its segments
   */
  PlaceDamage(Object place, Path index, Suspicions suspicions) {
    this.place = place;
    this.index = index;
    this.suspicions = suspicions;
  }

  /**
   * Marks the folder; false if this copy has already marked it, or if all files were verified after
   * the same damage had been reported.
   */
  boolean suspect(ShardCopy which, String reason) {
    if (suspicions.wasVerified(index, reason)) {
      LOG.error("{} can't read files that were verified before, and continues: {}", place, reason);
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

  /** Marks the copy of that assignment as failed; returns false if it was marked before. */
  synchronized boolean giveUp(Goal.Copy assignment, String reason) {
    if (met != null) {
      return false;
    }
    met = new Met(assignment, reason);
    return true;
  }

  /**
   * The reason for which the copy of that assignment is reported as failed; null otherwise. A new
   * assignment resets it.
   */
  synchronized @Nullable String reason(Goal.Copy assignment) {
    if (met != null && !met.assignment().sameAs(assignment)) {
      met = null;
    }
    return met == null ? null : met.reason();
  }

  /** Deletes the damaged files before a copy is opened. */
  void clear(boolean writes) throws IOException {
    List<String> damagedFiles = suspicions.clear(index, writes);
    if (!damagedFiles.isEmpty()) {
      LOG.warn("{} starts without the damaged files {}", place, damagedFiles);
    }
  }

  /** The folder is deleted. */
  void forget() {
    suspicions.forget(index);
  }
}
