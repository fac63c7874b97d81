package io.varve.rpc;

/**
 * What a copy wrote anew when it was asked to.
 *
 * @param segments how many: one or none
 * @param bytes the size that they had
 * @param left segments that are not encoded as the index's settings say yet
 */
public record Reencoded(int segments, long bytes, int left) {

  /** Of a copy that is given its segments. */
  public static final Reencoded NOTHING = new Reencoded(0, 0, 0);
}
