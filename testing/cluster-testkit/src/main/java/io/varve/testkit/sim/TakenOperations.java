package io.varve.testkit.sim;

import io.varve.events.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The operations that a copy has read from the log but not applied yet. An operation that was
 * resolved under a mapping that its node does not know waits for that mapping, and so do all later
 * ones; after that, it is passed to the lanes.
 */
final class TakenOperations {

  private static final int MAPPING_LOOK_MICROS = 5_000;

  private record Next(long offset, Operation operation) {}

  private final LoggedCopy copy;
  private final Deque<Next> unmapped = new ArrayDeque<>();
  private final List<Runnable> whenApplied = new ArrayList<>();
  private long unapplied;
  private boolean awaitsMapping;

  TakenOperations(LoggedCopy copy) {
    this.copy = copy;
  }

  void take(long offset, Operation operation) {
    unapplied++;
    unmapped.addLast(new Next(offset, operation));
    submitMapped();
  }

  private void submitMapped() {
    while (!unmapped.isEmpty() && isMapped(unmapped.getFirst().operation())) {
      Next next = unmapped.removeFirst();
      copy.world.observe(new Observation.Taken(copy, next.offset(), next.operation()));
      copy.lanes.submit(List.of(next), taken -> taken.operation().id(), this::apply);
    }
    if (!unmapped.isEmpty() && !awaitsMapping) {
      awaitsMapping = true;
      copy.after(
          MAPPING_LOOK_MICROS,
          () -> {
            awaitsMapping = false;
            submitMapped();
          });
    }
  }

  private boolean isMapped(Operation operation) {
    return copy.mapping.version() >= operation.mappingVersion()
        || copy.world.mutated(Mutation.APPLY_WITHOUT_ITS_MAPPING);
  }

  private void apply(Next next) {
    if (copy.closed) {
      return;
    }
    copy.applied(next.offset(), next.operation());
    if (--unapplied == 0) {
      List<Runnable> idle = List.copyOf(whenApplied);
      whenApplied.clear();
      // An exception inside a lane would be lost, so callbacks run outside.
      idle.forEach(then -> copy.after(0, then));
    }
  }

  /** Runs {@code then} once every taken operation is applied. */
  void whenApplied(Runnable then) {
    if (unapplied == 0) {
      then.run();
    } else {
      whenApplied.add(then);
    }
  }
}
