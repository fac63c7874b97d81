package io.varve.testkit.sim;

import io.varve.events.Operation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Replaying any part of the log again changes nothing. */
final class ReplayTwiceEqualsReplayOnce implements Invariant {

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Quiet)) {
      return;
    }
    for (SimCopy copy : world.routedCopies(world.leaderShard())) {
      if (copy instanceof LoggedCopy logged) {
        List<AcceptedLog.Accepted> all = world.logs().acceptedLog(copy.shard()).accepted();
        int from = all.isEmpty() ? 0 : world.random().nextInt(all.size());
        int to = from + (all.isEmpty() ? 0 : world.random().nextInt(all.size() - from));
        Map<String, Operation> once = new HashMap<>(logged.engine.state());
        all.subList(from, to)
            .forEach(
                accepted -> logged.engine.apply(accepted.offset(), accepted.operation(), null));
        require(
            once.equals(logged.engine.state()),
            "%s changed by a replay of seq_no %d to %d",
            copy,
            from,
            to);
      }
    }
  }
}
