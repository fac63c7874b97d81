package io.varve.host;

import io.varve.cluster.stats.Pool;
import io.varve.process.Ticker;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many periodic refreshes run at the same time on a node.
 *
 * <p>A refresh costs about the same however few documents it shows. Without a limit, a node with
 * hundreds of shards refreshes each of them at its interval even if its processors are busy, and
 * indexing lacks the processor time that these refreshes use. With the limit, refreshes are rarer
 * on a busy node, and each shows more documents.
 *
 * <pre>
 *   ask             -> RUNNING if fewer than {@code limit} run, else WAITING
 *   another ends    WAITING -> RUNNING, for the turn that has been due the longest
 *   end             WAITING, RUNNING -> ENDED
 * </pre>
 *
 * A refresh for which a request waits needs no turn: it neither waits nor counts.
 *
 * <p>INVARIANTS: no turn waits while fewer than {@code limit} run. A waiting turn is overtaken only
 * by turns that were due before it. A copy that was refreshed is next due in the future, so among n
 * copies a turn waits for at most n - 1 others, whatever their intervals are.
 */
public final class RefreshTurns implements Pool.Turns {

  private static final int MOST_USUAL = 10;

  private final int limit;
  private final Ticker ticker;
  private final TreeSet<Turn> waiting =
      new TreeSet<>(
          Comparator.comparingLong((Turn turn) -> turn.dueMillis)
              .thenComparingLong(turn -> turn.number));
  private long asked;
  private long ended;
  private int running;
  private int mostRunning;
  private long waitedNanos;
  private boolean starting;

  private enum State {
    WAITING,
    RUNNING,
    ENDED
  }

  /** The right of one copy to refresh. The copy must end it, even if it does not refresh. */
  public final class Turn {

    private final long dueMillis;
    private final long number;
    private final long askedNanos;
    private final Consumer<Turn> begins;
    private State state = State.WAITING;

    private Turn(long dueMillis, long number, long askedNanos, Consumer<Turn> begins) {
      this.dueMillis = dueMillis;
      this.number = number;
      this.askedNanos = askedNanos;
      this.begins = begins;
    }

    /** Gives the turn to another copy. Has no effect the second time. */
    public void end() {
      RefreshTurns.this.end(this);
    }

    public boolean isRunning() {
      return is(State.RUNNING);
    }

    public boolean hasEnded() {
      return is(State.ENDED);
    }

    private boolean is(State expected) {
      synchronized (RefreshTurns.this) {
        return state == expected;
      }
    }
  }

  /**
   * @param limit maximum number of turns that run
   */
  public RefreshTurns(int limit, Ticker ticker) {
    if (limit < 1) {
      throw new IllegalArgumentException("the limit of refreshes must be >= 1, was " + limit);
    }
    this.limit = limit;
    this.ticker = ticker;
  }

  /** Half of the processors, at least one and at most ten. */
  public static int usualLimit(int processors) {
    return Math.clamp((processors + 1) / 2, 1, MOST_USUAL);
  }

  /**
   * Asks for a turn.
   *
   * @param dueMillis the time since which the copy has been due for a refresh
   * @param begins called once, now or later, when the turn begins to run; must not block
   */
  public Turn ask(long dueMillis, Consumer<Turn> begins) {
    Turn turn;
    synchronized (this) {
      turn = new Turn(dueMillis, asked++, ticker.nanos(), begins);
      waiting.add(turn);
    }
    start();
    return turn;
  }

  private void end(Turn turn) {
    synchronized (this) {
      switch (turn.state) {
        case WAITING -> waiting.remove(turn);
        case RUNNING -> {
          running--;
          ended++;
        }
        case ENDED -> {
          return;
        }
      }
      turn.state = State.ENDED;
    }
    start();
  }

  /** A loop on one thread, so that turns that end immediately do not deepen the stack. */
  private void start() {
    synchronized (this) {
      if (starting) {
        return;
      }
      starting = true;
    }
    for (Turn next = next(); next != null; next = next()) {
      begin(next);
    }
  }

  private synchronized @Nullable Turn next() {
    Turn next = running < limit ? waiting.pollFirst() : null;
    if (next == null) {
      starting = false;
      return null;
    }
    next.state = State.RUNNING;
    running++;
    mostRunning = Math.max(mostRunning, running);
    waitedNanos += ticker.nanos() - next.askedNanos;
    return next;
  }

  private void begin(Turn turn) {
    boolean begun = false;
    try {
      turn.begins.accept(turn);
      begun = true;
    } finally {
      if (!begun) {
        synchronized (this) {
          starting = false;
        }
        turn.end();
      }
    }
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public synchronized int running() {
    return running;
  }

  @Override
  public synchronized int mostRunning() {
    return mostRunning;
  }

  @Override
  public synchronized int waiting() {
    return waiting.size();
  }

  @Override
  public synchronized long ended() {
    return ended;
  }

  /** The total time that turns waited before they ran. */
  public synchronized long waitedNanos() {
    return waitedNanos;
  }
}
