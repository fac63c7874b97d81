package io.varve.host;

/**
 * The version of the cluster state from which on a copy proves that it may be reported as started.
 *
 * <pre>
 *   begin   before each look at what the copy must show: the first one fixes the version
 *   end     the copy shows it: returns that version, and the next proof has one of its own
 * </pre>
 *
 * INVARIANT: everything that the proof rests on was seen after the node knew that version. What a
 * copy must show is fixed by the first look and kept until the copy shows it, so a later look must
 * not raise the version. For one open copy and one thread.
 */
public final class StartProof {

  private boolean underWay;
  private long version;

  /**
   * @param knownVersion of the cluster state, known now
   */
  public void begin(long knownVersion) {
    if (!underWay) {
      underWay = true;
      version = knownVersion;
    }
  }

  /** Returns the version from which on the copy has proven that it may start. */
  public long end() {
    if (!underWay) {
      throw new IllegalStateException("no proof has begun");
    }
    underWay = false;
    return version;
  }
}
