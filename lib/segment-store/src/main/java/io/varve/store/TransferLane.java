package io.varve.store;

/** What a transfer is for. Each lane has a budget of its own, so that none starves another. */
public enum TransferLane {
  /** Files of the newest manifest for a copy that serves already. */
  FRESHNESS,
  /** The first files of a copy that is being built. */
  RECOVERY,
  /** Merged segments that no manifest names yet; while anything fresh is under way they wait. */
  MERGED,
  /** Files on their way to the segment store. */
  UPLOAD
}
