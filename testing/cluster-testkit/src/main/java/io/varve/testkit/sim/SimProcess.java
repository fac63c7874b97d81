package io.varve.testkit.sim;

import io.varve.events.FeatureLevels;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operating system process. It can be killed, which drops its pending tasks; restarted; and
 * frozen for a time, or suspended until it is resumed, which delays all its tasks and messages, so
 * that it continues with an outdated state.
 */
final class SimProcess {

  private final String name;
  private final EventQueue queue;
  private FeatureLevels levels = FeatureLevels.OF_THIS_RELEASE;
  private boolean up = true;
  private long incarnation = 1;
  private long frozenUntilMicros;
  private @Nullable List<Runnable> delayed;

  SimProcess(String name, EventQueue queue) {
    this.name = name;
    this.queue = queue;
  }

  String name() {
    return name;
  }

  /** The feature levels that its release supports. */
  FeatureLevels levels() {
    return levels;
  }

  /** From its next start on, it runs another release. */
  void levels(FeatureLevels supported) {
    levels = supported;
  }

  boolean isUp() {
    return up;
  }

  /** Increases with each start. */
  long incarnation() {
    return incarnation;
  }

  /** Schedules a task of this incarnation: dropped by a kill, delayed by a freeze. */
  void after(long micros, Runnable task) {
    long born = incarnation;
    queue.after(micros, () -> run(born, task));
  }

  /** Delivers a message to the incarnation that is up when it arrives. */
  void receive(long micros, Runnable task) {
    queue.after(micros, () -> run(0, task));
  }

  private void run(long born, Runnable task) {
    if (!up || (born != 0 && born != incarnation)) {
      return;
    }
    if (delayed != null) {
      long waitsFor = incarnation;
      delayed.add(() -> run(waitsFor, task));
      return;
    }
    if (queue.nowMicros() < frozenUntilMicros) {
      // Messages to a frozen process stay in its buffers and are lost with it.
      long waitsFor = incarnation;
      queue.at(frozenUntilMicros, () -> run(waitsFor, task));
      return;
    }
    task.run();
  }

  void kill() {
    up = false;
    incarnation++;
  }

  void start() {
    up = true;
    frozenUntilMicros = 0;
    delayed = null;
  }

  void suspend() {
    delayed = new ArrayList<>();
  }

  /** Runs the delayed tasks and messages, in their order. */
  void resume() {
    List<Runnable> tasks = delayed == null ? List.of() : delayed;
    delayed = null;
    tasks.forEach(task -> queue.after(0, task));
  }

  boolean isFrozen() {
    return delayed != null || queue.nowMicros() < frozenUntilMicros;
  }

  /** Freezes the process; one that is already frozen does not resume earlier. */
  void freeze(long micros) {
    if (queue.nowMicros() >= frozenUntilMicros) {
      frozenUntilMicros = queue.nowMicros() + micros;
    }
  }

  @Override
  public String toString() {
    return name + "#" + incarnation;
  }
}
