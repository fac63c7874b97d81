package io.varve.store;

/** Purpose of a transfer. Each lane has its own budget, so that none starves another. */
public enum TransferLane {
  /** Files of the newest manifest for a copy that already serves. */
  FRESHNESS,
  /** The first files of a copy under construction. */
  RECOVERY,
  /** The first files of a follower's shard, from the leader's cluster. */
  BOOTSTRAP,
  /** Merged segments that no manifest names yet; they yield to fresh files. */
  MERGED,
  /** Uploads to the segment store. */
  UPLOAD
}
