package io.varve.ccr;

import io.varve.events.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether an empty shard of a follower replays its leader's log or copies the leader's
 * newest manifest {@code m}.
 *
 * <pre>
 *   start     the first offset of the leader's log
 *   replaced  bytes of the log before m.nextOffset, which need not be replayed if m is copied
 *
 *   start = 0, a copy is required                        Copy, or Impossible without a manifest
 *   start = 0, no manifest                               Replay
 *   start = 0, replaced &lt;= max(16 MiB, bytes of m)       Replay
 *   start = 0, replaced &gt; max(16 MiB, bytes of m)        Copy
 *   start &gt; 0, m.nextOffset &gt;= start                     Copy
 *   start &gt; 0, no manifest, or m.nextOffset &lt; start      Impossible now; retried
 * </pre>
 *
 * Copying a byte is never slower than replaying one, because each replayed operation must be
 * indexed. For a short log, though, replay ends before a copy could start. No I/O.
 */
public final class BootstrapDecision {

  /** Up to this many bytes, replay is faster than a copy. */
  static final long REPLAYED_SOONER_BYTES = 16L << 20;

  /** How the shard begins. */
  public sealed interface Choice {

    /** Replay the leader's log from its first record on. */
    record Replay() implements Choice {}

    /** Copy the files of that manifest. */
    record Copy(Manifest manifest) implements Choice {

      /**
       * The first record of the leader's log that is needed: the last record that the manifest
       * contains, because this record is compared.
       */
      public long neededOffset() {
        return Math.max(0, manifest.nextOffset() - 1);
      }
    }

    /** Neither is possible now. */
    record Impossible(String reason) implements Choice {}
  }

  /**
   * The leader's log.
   *
   * @param recordBytes the mean size of its records
   */
  public record LeaderLog(long startOffset, long recordBytes) {}

  private BootstrapDecision() {}

  /**
   * @param mustCopy whether the log must not be replayed
   */
  static Choice decide(LeaderLog log, @Nullable Manifest newest, boolean mustCopy) {
    if (log.startOffset() == 0 && !mustCopy) {
      return newest != null && isSmaller(newest, log)
          ? new Choice.Copy(newest)
          : new Choice.Replay();
    }
    if (newest == null || newest.nextOffset() < log.startOffset()) {
      return new Choice.Impossible(
          "the leader's log begins at offset "
              + log.startOffset()
              + ", and "
              + (newest == null
                  ? "it has published no manifest"
                  : "its newest manifest needs it from " + newest.nextOffset()));
    }
    return new Choice.Copy(newest);
  }

  private static boolean isSmaller(Manifest manifest, LeaderLog log) {
    double replacedBytes = (double) manifest.nextOffset() * log.recordBytes();
    return replacedBytes > Math.max(REPLAYED_SOONER_BYTES, manifest.totalBytes());
  }
}
