package io.varve.coordinator.rest.document;

import io.varve.rest.TaskKind;
import io.varve.rpc.WriteItem;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Describes writes as tasks. They cannot be cancelled: accepted operations stay in the log. */
final class WriteTasks {

  private static final String WRITE = "indices:data/write/";
  private static final String BULK = WRITE + "bulk";

  private WriteTasks() {}

  static TaskKind ofBulk(List<BulkItem> items) {
    Set<String> indices = new LinkedHashSet<>();
    items.forEach(item -> indices.add(item.index()));
    return new TaskKind(
        BULK, "requests[" + items.size() + "], indices[" + String.join(", ", indices) + "]", false);
  }

  static TaskKind ofOne(BulkItem item) {
    String action =
        switch (item.write().kind()) {
          case INDEX, CREATE -> "index";
          case UPDATE -> "update";
          case DELETE -> "delete";
        };
    return new TaskKind(
        WRITE + action, action + " {[" + item.index() + "][" + item.write().id() + "]}", false);
  }

  /** Describes the subtask of a write for one shard. */
  static TaskKind ofShard(ShardBatch batch) {
    List<WriteItem> items = batch.items();
    return new TaskKind(
        BULK + "[s]",
        "requests["
            + items.size()
            + "], index["
            + batch.index().name()
            + "]["
            + batch.shard()
            + "]",
        false);
  }
}
