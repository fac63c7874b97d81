package io.varve.shard.http;

import io.varve.host.http.KnownState;
import io.varve.host.search.NodeTasks;
import io.varve.rpc.BulkWire;
import io.varve.rpc.NodeBulkWire.Head;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.time.Duration;
import java.util.function.Function;

/** Writes the parts of {@link NodeBulks}, and shows them among the tasks of the node. */
public final class PartWrites {

  /** The action of a bulk on a primary. */
  public static final String ACTION = "indices:data/write/bulk[s][p]";

  private final NodeTasks tasks;
  private final Function<String, String> indexNames;
  private final KnownState known;

  /**
   * @param indexNames the name of an index by its uuid
   */
  public PartWrites(NodeTasks tasks, Function<String, String> indexNames, KnownState known) {
    this.tasks = tasks;
    this.indexNames = indexNames;
    this.known = known;
  }

  /** Returns the encoded results. */
  byte[] write(
      PrimaryCopy primary, Head head, byte[] items, WritePressure.Room room, Duration timeout)
      throws InterruptedException {
    known.requireForWrite(primary.shard(), head.metadataVersion());
    String task = head.task();
    if (task == null) {
      return write(primary, head.term(), items, room, timeout);
    }
    NodeTasks.What what =
        new NodeTasks.What(ACTION, indexNames.apply(head.shard().indexUuid()), head.shard());
    try (NodeTasks.Shown _ = tasks.shown(what, task, Integer.toString(head.items()))) {
      return write(primary, head.term(), items, room, timeout);
    }
  }

  static byte[] write(
      PrimaryCopy primary, long term, byte[] items, WritePressure.Room room, Duration timeout)
      throws InterruptedException {
    return BulkWire.encodeResults(primary.write(term, BulkWire.decodeItems(items), room, timeout));
  }
}
