package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.rpc.WriteItem;
import java.util.List;

/**
 * A conditional write follows, among the operations of its document, directly after the state that
 * met its condition. For the writes of jobs, see {@link JobsWriteFollowsWhatItFound}.
 */
final class ConditionalWriteFollowsWhatItRead implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Landed landed) || World.isFollower(landed.shard())) {
      return;
    }
    AcceptedLog acceptedLog = world.logs().acceptedLog(landed.shard());
    AcceptedLog.Accepted accepted = acceptedLog.acceptedAt(landed.offset());
    Write write = accepted == null ? null : world.clients().writeOf(accepted.operation());
    if (accepted == null || write == null) {
      return;
    }
    List<Operation> history = acceptedLog.history(accepted.operation().id());
    if (world.clients().isOfAJob(accepted.operation(), history)) {
      return;
    }
    Operation before = history.size() < 2 ? null : history.get(history.size() - 2);
    boolean existed = before != null && !before.isDelete();
    WriteItem item = write.item();
    boolean met =
        switch (item.kind()) {
          case CREATE -> !existed;
          case UPDATE -> existed;
          default ->
              item.ifSeqNo() == WriteItem.UNASSIGNED
                  || (before != null
                      && before.seqNo() == item.ifSeqNo()
                      && before.term() == item.ifPrimaryTerm());
        };
    require(met, "%s follows %s", write, before);
    require(
        accepted.operation().version() == (before == null ? 1 : before.version() + 1),
        "%s has version %d behind %s",
        write,
        accepted.operation().version(),
        before);
  }
}
