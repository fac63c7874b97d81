package io.varve.coordinator.rest.document;

import io.varve.client.PrimaryCalls;
import io.varve.client.ShardClient;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.process.Steps;
import java.util.List;

/** Sends batches to the primaries of their shards, see {@link BulkWrite}. */
final class ShardWriter {

  private final Primaries primaries;
  private final Parallel parallel;
  private final Visibility visibility;
  private final Tasks tasks;

  /** The shards' primaries and how they are called. */
  record Primaries(ClusterAccess cluster, ShardClient client, PrimaryCalls calls) {}

  ShardWriter(Primaries primaries, Parallel parallel, Visibility visibility, Tasks tasks) {
    this.primaries = primaries;
    this.parallel = parallel;
    this.visibility = visibility;
    this.tasks = tasks;
  }

  /** Writes the batches of a request; afterwards, none of their items is open. */
  void write(List<ShardPart> parts, WriteOptions options) throws InterruptedException {
    try (Steps steps = parallel.steps()) {
      new BulkWrite(primaries, visibility, this::end, steps, options).run(parts);
    } finally {
      parts.forEach(ShardPart::end);
      parts.forEach(this::end);
    }
  }

  private void end(ShardPart part) {
    Task task = part.task();
    if (task != null) {
      tasks.end(task);
    }
  }
}
