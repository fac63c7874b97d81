package io.varve.store;

import java.util.concurrent.Semaphore;

/**
 * A node's way to the segment store.
 *
 * @param name under which nodes announce it: those that share a name share the store
 * @param uploads slots for objects on their way there, shared by all copies of the node
 * @param elsewhere what indices name of others' objects, looked at for all copies of the node
 */
public record StoreAccess(
    String name,
    SegmentStore store,
    Settings settings,
    TransferBudget budget,
    Semaphore uploads,
    NamedElsewhere elsewhere) {

  public StoreAccess(
      String name,
      SegmentStore store,
      Settings settings,
      TransferBudget budget,
      Semaphore uploads) {
    this(name, store, settings, budget, uploads, new NamedElsewhere(store));
  }

  /**
   * @param uploadIntervalMillis the least time between two uploads of a shard: refreshes between
   *     them share one
   * @param packs whether files that gain from it are stored as zstd
   */
  public record Settings(
      UploadPlan.Limits bundling, long uploadIntervalMillis, Retention retention, boolean packs) {

    public static final Settings DEFAULT =
        new Settings(UploadPlan.Limits.DEFAULT, 1_000, Retention.DEFAULT);

    /** What gains is packed. */
    public Settings(UploadPlan.Limits bundling, long uploadIntervalMillis, Retention retention) {
      this(bundling, uploadIntervalMillis, retention, true);
    }

    public Settings {
      if (uploadIntervalMillis < 0 || uploadIntervalMillis > 3_600_000) {
        throw new IllegalArgumentException(
            "upload interval must be 0 to 3600000 ms, was " + uploadIntervalMillis);
      }
    }
  }

  /**
   * What stays in the store though the newest manifest does without it.
   *
   * @param manifests of how many manifests the files stay
   * @param graceMillis for how long a file stays that none of them names, for those who are copying
   * @param everyMillis between two looks for what may go
   */
  public record Retention(int manifests, long graceMillis, long everyMillis) {

    public static final Retention DEFAULT = new Retention(10, 30 * 60_000, 60_000);

    public Retention {
      if (manifests < 1 || manifests > 1_000) {
        throw new IllegalArgumentException("kept manifests must be 1 to 1000, was " + manifests);
      }
      if (graceMillis < 0 || everyMillis < 1) {
        throw new IllegalArgumentException(
            "grace must be >= 0 and interval >= 1 ms, was " + graceMillis + ", " + everyMillis);
      }
    }
  }
}
