package io.varve.shard.replicated;

/**
 * The state of a document's version, according to the primary's knowledge of the other copies. The
 * numbers are part of responses.
 *
 * <pre>
 *   0 REPLICATED       every started copy is known to hold it
 *   1 REPLICATING      written by this primary; the copies have not confirmed it yet
 *   2 RE_REPLICATING   the copies are being asked for it
 *   3 UNREPLICATED     unknown: written by a former primary, or the copies did not answer in time
 * </pre>
 */
public enum ReplicationState {
  REPLICATED(0),
  REPLICATING(1),
  RE_REPLICATING(2),
  UNREPLICATED(3);

  private final int code;

  ReplicationState(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
