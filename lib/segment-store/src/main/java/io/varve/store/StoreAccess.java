package io.varve.store;

import java.util.concurrent.Semaphore;

/**
 * A node's access to the segment store.
 *
 * @param name announced by nodes: nodes with the same name share the store
 * @param uploads permits for concurrent uploads, shared by all copies of the node
 * @param elsewhere references across indices, tracked for all copies of the node
 */
public record StoreAccess(
    String name,
    SegmentStore store,
    Settings settings,
    TransferBudget budget,
    Semaphore uploads,
    CrossIndexReferences elsewhere) {

  public StoreAccess(
      String name,
      SegmentStore store,
      Settings settings,
      TransferBudget budget,
      Semaphore uploads) {
    this(name, store, settings, budget, uploads, new CrossIndexReferences(store));
  }

  /**
   * @param uploadIntervalMillis minimum time between two uploads of a shard; refreshes in between
   *     share one
   * @param packs whether compressible files are stored as zstd
   */
  public record Settings(
      UploadPlan.Limits bundling, long uploadIntervalMillis, Retention retention, boolean packs) {

    public static final Settings DEFAULT =
        new Settings(UploadPlan.Limits.DEFAULT, 1_000, Retention.DEFAULT);

    /** Settings with compression. */
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
   * Retention of objects that the newest manifest does not reference.
   *
   * @param manifests number of recent manifests whose files are kept
   * @param graceMillis time for which an unreferenced file is kept, for copies that are fetching it
   * @param everyMillis interval of garbage collection
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
