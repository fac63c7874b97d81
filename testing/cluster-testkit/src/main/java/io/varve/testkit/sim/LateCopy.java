package io.varve.testkit.sim;

import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.WritableCopy;
import io.varve.events.Operation;
import io.varve.rpc.WriteItem;
import org.jspecify.annotations.Nullable;

/**
 * A copy that reports operations as applied before it applies them. Used only in mutated histories.
 */
final class LateCopy implements WritableCopy {

  private static final long LATE_MICROS = 1_000;

  private final PrimaryActor primary;

  LateCopy(PrimaryActor primary) {
    this.primary = primary;
  }

  @Override
  public Resolution resolve(WriteItem item, Parsed parsed) {
    return primary.engine.resolve(item, parsed);
  }

  @Override
  public void inFlight(Operation operation) {
    primary.engine.inFlight(operation);
  }

  @Override
  public boolean apply(long offset, Operation operation, Resolution.@Nullable Append decided) {
    primary.after(LATE_MICROS, () -> primary.engine.apply(offset, operation, decided));
    return true;
  }
}
