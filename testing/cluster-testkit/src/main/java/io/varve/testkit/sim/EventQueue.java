package io.varve.testkit.sim;

import java.util.PriorityQueue;

/**
 * Virtual time. The next event is the earliest one; events of the same instant run in the order in
 * which they were scheduled.
 */
public final class EventQueue {

  private record Event(long atMicros, long order, Runnable action) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>((a, b) -> {
        int byTime = Long.compare(a.atMicros, b.atMicros);
        return byTime != 0 ? byTime : Long.compare(a.order, b.order);
      });
  private long nowMicros;
  private long scheduled;
  private long executed;

  public long nowMicros() {
    return nowMicros;
  }

  long nowMillis() {
    return nowMicros / 1000;
  }

  long executed() {
    return executed;
  }

  public void at(long micros, Runnable action) {
    events.add(new Event(Math.max(nowMicros, micros), scheduled++, action));
  }

  public void after(long micros, Runnable action) {
    at(nowMicros + micros, action);
  }

  /** Runs the next event. Returns false if there is none before {@code deadlineMicros}. */
  public boolean runNext(long deadlineMicros) {
    Event next = events.peek();
    if (next == null || next.atMicros > deadlineMicros) {
      nowMicros = Math.max(nowMicros, deadlineMicros);
      return false;
    }
    events.poll();
    nowMicros = next.atMicros;
    executed++;
    next.action.run();
    return true;
  }
}
