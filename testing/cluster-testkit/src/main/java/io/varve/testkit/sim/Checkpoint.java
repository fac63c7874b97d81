package io.varve.testkit.sim;

/** A position in the log, before which everything is applied, and the state of the fence there. */
record Checkpoint(long nextOffset, long nextSeqNo, long fenceTerm) {

  static final Checkpoint START = new Checkpoint(0, 0, 0);

  long lastSeqNo() {
    return nextSeqNo - 1;
  }
}
