package io.varve.testkit.sim;

import io.varve.events.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The operations that a copy has read from the log and not applied yet. One that was resolved under
 * a mapping that its node does not know waits for it, and so do all behind it; then it goes to the
 * lanes.
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
      // What fails in a lane is not seen outside of it.
      idle.forEach(then -> copy.after(0, then));
    }
  }

  /** Runs {@code then} once everything that was taken is applied. */
  void whenApplied(Runnable then) {
    if (unapplied == 0) {
      then.run();
    } else {
      whenApplied.add(then);
    }
  }
}
