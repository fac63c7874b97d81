package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.List;

/**
 * A job writes a record directly after the version that it found: it never brings back a former
 * value or a deleted document. What was acked to a job is accepted forever.
 */
final class JobsWriteFollowsWhatItFound implements Invariant {

  private final List<Observation.JobWrote> acked = new ArrayList<>();

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Landed landed -> {
        AcceptedLog log = world.logs().acceptedLog(landed.shard());
        AcceptedLog.Accepted accepted = log.acceptedAt(landed.offset());
        if (accepted != null) {
          follows(accepted.operation(), log.history(accepted.operation().id()), world);
        }
      }
      case Observation.JobWrote wrote -> {
        isAccepted(wrote, world);
        acked.add(wrote);
      }
      case Observation.Quiet _ -> acked.forEach(wrote -> isAccepted(wrote, world));
      default -> {}
    }
  }

  private void follows(Operation operation, List<Operation> history, World world) {
    Write write = world.clients().writeOf(operation);
    if (write == null || !world.clients().isOfAJob(operation, history)) {
      return;
    }
    Operation before = history.get(history.size() - 2);
    require(
        write.wrote(before) && operation.version() == before.version() + 1,
        "a job wrote %s again as version %d of seq_no %d, behind %s",
        write,
        operation.version(),
        operation.seqNo(),
        before);
  }

  private void isAccepted(Observation.JobWrote wrote, World world) {
    ShardId shard = wrote.shard();
    WriteItem item = wrote.item();
    WriteResult.Done done = wrote.done();
    AcceptedLog.Accepted there = world.logs().acceptedLog(shard).at(done.seqNo());
    require(
        there != null
            && there.operation().term() == done.primaryTerm()
            && there.operation().version() == done.version()
            && there.operation().id().equals(item.id()),
        "a job was told %s for %s, but the log holds %s",
        done,
        item.id(),
        there);
  }
}
