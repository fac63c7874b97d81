package io.varve.shard.primary;

import io.varve.events.Manifest;
import io.varve.rpc.BootstrapWire;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an empty primary of a follower does with the plans of its puller.
 *
 * <pre>
 *   BEGUN     the shard is not empty, or its index is not a follower
 *   AWAITED   -> COPYING   the plan is to copy
 *             -> BEGUN     the plan is to replay
 *   COPYING   -> BEGUN     the folder has the leader's manifest
 *             -> AWAITED   the copy failed; copied files are kept for the next plan
 * </pre>
 *
 * A plan is taken only while one is awaited, and only one at a time. No I/O. Not thread-safe.
 */
public final class BeginningState {

  private BootstrapWire.Status status = BootstrapWire.Status.BEGUN;
  private BootstrapWire.@Nullable Plan planned;

  public BootstrapWire.Status status() {
    return status;
  }

  /**
   * A plan is awaited, for the first time or because a copy failed.
   *
   * @param reason why the previous plan could not be carried out; empty if there was none
   * @param mustCopy whether the leader's log must not be replayed
   */
  public void awaits(String reason, boolean mustCopy) {
    planned = null;
    status = BootstrapWire.Status.awaited(reason, mustCopy);
  }

  /** A puller sends a plan; it is ignored unless one is awaited. Returns whether it was taken. */
  public boolean plan(BootstrapWire.Plan plan) {
    if (status.state() != BootstrapWire.State.AWAITED || planned != null) {
      return false;
    }
    planned = plan;
    return true;
  }

  /** The plan to carry out now, once; null if none has arrived. */
  public BootstrapWire.@Nullable Plan next() {
    BootstrapWire.Plan plan = planned;
    planned = null;
    return plan;
  }

  /** The files of that manifest are copied; so many bytes are not local yet. */
  public void copying(Manifest manifest, long missingBytes) {
    status =
        BootstrapWire.Status.copying(
            manifest.totalBytes(),
            missingBytes,
            status.mustCopy(),
            Math.max(0, manifest.nextOffset() - 1));
  }

  public void begun() {
    planned = null;
    status = BootstrapWire.Status.BEGUN;
  }
}
