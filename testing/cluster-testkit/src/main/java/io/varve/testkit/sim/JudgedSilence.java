package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.control.Membership;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.List;
import java.util.Objects;

/** A leader's cluster log that observes when the leader decides that a member is silent. */
final class JudgedSilence extends DelegatingLog {

  private final World world;
  private final SimProcess judge;

  JudgedSilence(PartitionLog log, World world, SimProcess judge) {
    super(log);
    this.world = world;
    this.judge = judge;
  }

  @Override
  public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
    if (RecordHeader.read(record.header()).kind() == RecordHeader.Kind.DATA) {
      observe(Json.read(Objects.requireNonNull(record.value(), "an event"), ClusterEvent.class));
    }
    super.append(record, callback);
  }

  private void observe(ClusterEvent event) {
    switch (event) {
      case ClusterEvent.Together(List<ClusterEvent> events) -> events.forEach(this::observe);
      case ClusterEvent.NodeLeft(String nodeId, String reason)
          when reason.startsWith(Membership.SILENT) ->
          world.observe(new Observation.JudgedSilent(judge.toString(), nodeId));
      default -> {
        // No other event says that a node is silent.
      }
    }
  }
}
