package io.varve.testkit.sim;

/** A position in the log, before which everything is applied, and the state of the fence there. */
record AppliedPosition(long nextOffset, long nextSeqNo, long fenceTerm) {

  static final AppliedPosition START = new AppliedPosition(0, 0, 0);

  long lastSeqNo() {
    return nextSeqNo - 1;
  }
}
