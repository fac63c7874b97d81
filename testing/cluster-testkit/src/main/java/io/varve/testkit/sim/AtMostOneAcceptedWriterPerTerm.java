package io.varve.testkit.sim;

import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.Map;

/** All accepted records of a term come from the one writer that opened its gate in that term. */
final class AtMostOneAcceptedWriterPerTerm implements Invariant {

  private record Term(ShardId shard, long term) {}

  private final Map<Term, String> openedBy = new HashMap<>();
  private final Map<Term, String> writtenBy = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.GateOpened gate -> {
        String other = openedBy.putIfAbsent(new Term(gate.shard(), gate.term()), gate.writer());
        require(other == null, "term %d opened by %s and %s", gate.term(), other, gate.writer());
      }
      case Observation.Landed landed -> {
        AcceptedLog.Accepted newest =
            world.logs().acceptedLog(landed.shard()).acceptedAt(landed.offset());
        if (newest != null) {
          Term term = new Term(landed.shard(), newest.operation().term());
          String other = writtenBy.putIfAbsent(term, newest.writer());
          require(
              other == null || other.equals(newest.writer()),
              "%s written by %s and %s",
              term,
              other,
              newest.writer());
        }
      }
      default -> {}
    }
  }
}
