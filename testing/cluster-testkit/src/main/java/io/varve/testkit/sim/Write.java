package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import java.nio.charset.StandardCharsets;

/** A client's write, and the answer that the client got. */
final class Write {

  /** Pending until answered. Refused means that the write is not in the log and never will be. */
  enum Answer {
    PENDING,
    ACKED,
    REFUSED,
    UNKNOWN
  }

  private final int number;
  private final ShardId shard;
  private final WriteItem item;
  private final boolean waitFor;
  Answer answer = Answer.PENDING;
  long seqNo = -1;
  long term;
  long version;
  String result = "";

  Write(int number, ShardId shard, WriteItem item, boolean waitFor) {
    this.number = number;
    this.shard = shard;
    this.item = item;
    this.waitFor = waitFor;
  }

  ShardId shard() {
    return shard;
  }

  WriteItem item() {
    return item;
  }

  boolean waitFor() {
    return waitFor;
  }

  String value() {
    return "v" + number;
  }

  /** Whether this write has this source. */
  boolean wrote(byte[] source) {
    return new String(source, StandardCharsets.UTF_8).contains("\"" + value() + "\"");
  }

  /** Whether this operation has its value. */
  boolean wrote(Operation operation) {
    byte[] source = operation.source();
    return source != null && wrote(source);
  }

  @Override
  public String toString() {
    return "write "
        + number
        + " ("
        + item.kind()
        + " "
        + item.id()
        + ") "
        + answer
        + (answer == Answer.ACKED ? " as seq_no " + seqNo + " of term " + term : "");
  }
}
