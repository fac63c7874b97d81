package io.varve.shard.remote;

import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;

/**
 * Determines whether this term's claim is still the highest, by reading the log to its end. Used by
 * one thread at a time.
 */
final class TermClaim {

  private final ManifestLog log;
  private final long term;
  private long unclaimedToOffset;

  TermClaim(ManifestLog log, ManifestLog.Claim claim) {
    this.log = log;
    this.term = claim.stored().term();
    this.unclaimedToOffset = claim.offset();
  }

  /**
   * Called after a stored manifest was appended and before objects that it does not name are
   * deleted: a primary that claims the store later starts from that manifest or a newer one.
   */
  boolean isHighest() throws LogException {
    long end = log.partition().endOffset();
    if (log.claimedAbove(term, unclaimedToOffset, end)) {
      return false;
    }
    unclaimedToOffset = end;
    return true;
  }
}
