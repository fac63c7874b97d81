package io.varve.testkit.sim;

import io.varve.control.AddressProbe;
import java.util.function.Consumer;

/**
 * The connections of a leader to suspected members: a frozen process accepts them, one that was
 * killed and not started again refuses them, and a cut link leaves them without an outcome.
 */
final class SimProbe implements AddressProbe {

  private static final long LATENCY_MICROS = 500;

  private final World world;
  private final SimProcess process;

  SimProbe(World world, SimProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public void connect(String url, long delayMillis, Consumer<Outcome> result) {
    SimProcess target = world.processAt(url);
    process.after(
        delayMillis * 1_000 / SimLoop.SPEED + LATENCY_MICROS, () -> result.accept(outcome(target)));
  }

  private Outcome outcome(SimProcess target) {
    if (!world.network().connected(process.name(), target.name())) {
      return Outcome.UNKNOWN;
    }
    if (world.mutated(Mutation.TAKE_A_PAUSE_FOR_THE_END) && target.isFrozen()) {
      return Outcome.REFUSED;
    }
    return target.isUp() ? Outcome.ACCEPTED : Outcome.REFUSED;
  }
}
