package io.varve.testkit.sim;

import io.varve.control.LeaderLoop;
import java.util.concurrent.Executor;

/**
 * The loop of a simulated leader: its tasks are events of the history, and a kill drops them.
 *
 * <pre>
 *   1 ms of virtual time = {@value #SPEED} ms of the clock of this loop
 * </pre>
 *
 * A history lasts a few seconds, and production's leader uses intervals of seconds. With the faster
 * clock, production's constants need not be changed.
 */
final class SimLoop implements LeaderLoop {

  static final int SPEED = 10;

  private final World world;
  private final SimProcess process;
  private boolean closed;

  SimLoop(World world, SimProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public boolean execute(Runnable task) {
    if (closed || !process.isUp()) {
      return false;
    }
    process.after(0, task);
    return true;
  }

  @Override
  public void repeat(Runnable task, long pauseMillis) {
    process.after(
        0,
        () -> {
          if (!closed) {
            task.run();
            process.after(jittered(pauseMillis * 1_000 / SPEED), () -> repeat(task, pauseMillis));
          }
        });
  }

  private long jittered(long micros) {
    return micros - micros / 5 + world.random().nextInt((int) (2 * micros / 5));
  }

  @Override
  public long nowMillis() {
    return world.queue().nowMicros() * SPEED / 1_000;
  }

  @Override
  public Executor blocking() {
    return task -> process.after(world.network().latencyMicros(), task);
  }

  @Override
  public void close() {
    closed = true;
  }
}
