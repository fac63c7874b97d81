package io.varve.rpc;

/**
 * The result of rewriting a segment with the current codec settings.
 *
 * @param segments segments rewritten: one or none
 * @param bytes their previous size
 * @param left segments not yet encoded according to the index's settings
 */
public record Reencoded(int segments, long bytes, int left) {

  /** Result of a copy that receives its segments from another one. */
  public static final Reencoded NOTHING = new Reencoded(0, 0, 0);
}
