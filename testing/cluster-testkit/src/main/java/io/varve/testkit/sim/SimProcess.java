package io.varve.testkit.sim;

/**
 * An operating system process. It can be killed, which drops its pending tasks; restarted; and
 * frozen, which delays all its tasks and messages until it resumes with an outdated state.
 */
final class SimProcess {

  private final String name;
  private final EventQueue queue;
  private boolean up = true;
  private long incarnation = 1;
  private long frozenUntilMicros;

  SimProcess(String name, EventQueue queue) {
    this.name = name;
    this.queue = queue;
  }

  String name() {
    return name;
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
