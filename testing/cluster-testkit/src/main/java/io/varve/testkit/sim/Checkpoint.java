package io.varve.testkit.sim;

/** A place in the log and the fence's state there: all before it is applied. */
record Checkpoint(long nextOffset, long nextSeqNo, long fenceTerm) {

  static final Checkpoint START = new Checkpoint(0, 0, 0);

  long lastSeqNo() {
    return nextSeqNo - 1;
  }
}
