package io.varve.testkit.sim;

/**
 * An operating system process: it can be killed (all that it had planned is gone), started again,
 * and frozen (all that was to happen happens when it wakes, with the beliefs that it had).
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

  /** Rises with each start. */
  long incarnation() {
    return incarnation;
  }

  /** Something that this incarnation does by itself: lost with a kill, late after a freeze. */
  void after(long micros, Runnable task) {
    long born = incarnation;
    queue.after(micros, () -> run(born, task));
  }

  /** Something that reaches whatever incarnation is up by then. */
  void receive(long micros, Runnable task) {
    queue.after(micros, () -> run(0, task));
  }

  private void run(long born, Runnable task) {
    if (!up || (born != 0 && born != incarnation)) {
      return;
    }
    if (queue.nowMicros() < frozenUntilMicros) {
      // What reached a frozen process waits in its buffers, and dies with it.
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

  /** A process that is frozen already stays so until it would have woken anyhow. */
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
