package io.varve.coordinator.rest.routing;

import io.varve.rpc.NodeLoad;
import io.varve.selection.NodeReport;
import io.varve.selection.NodeReport.Slowness;
import org.jspecify.annotations.Nullable;

/** A node's word on its load, as the choice of copies takes it. */
final class NodeSaid {

  private NodeSaid() {}

  static NodeReport report(@Nullable NodeLoad load) {
    if (load == null) {
      return NodeReport.NONE;
    }
    NodeLoad.Queue queue = load.queue();
    NodeLoad.Times times = load.times();
    return new NodeReport(
        queue.waiting(),
        queue.running(),
        queue.workers(),
        times.averageNanos(),
        times.slowness() > 0
            ? new Slowness(times.slowness(), times.trust(), times.ageNanos())
            : Slowness.UNKNOWN);
  }
}
