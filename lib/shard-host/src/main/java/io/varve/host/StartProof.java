package io.varve.host;

/**
 * The version of the cluster state from which on a copy proves that it may be reported as started.
 *
 * <pre>
 *   begin   before each check of what the copy must show: the first check determines the version
 *   end     the copy shows it: returns that version, and the next proof has its own version
 * </pre>
 *
 * INVARIANT: the proof is based only on observations made after the node knew that version. The
 * first check determines what the copy must show, and this does not change until the copy shows it.
 * A later check must therefore not raise the version. For one open copy, and one thread at a time.
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
