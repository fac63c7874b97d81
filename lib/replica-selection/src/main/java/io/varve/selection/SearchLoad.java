package io.varve.selection;

import io.varve.selection.ExecutorReport.Slowness;
import java.util.function.LongSupplier;

/**
 * A node's measurements of its search executor: queued and running requests, their smoothed
 * execution time as reported by Elasticsearch and OpenSearch (α 0.1 from zero, failures skipped),
 * and their time relative to the expectation. Measured on the node over all coordinators, because
 * each coordinator sees too few requests.
 *
 * <p>Trust counts the samples since the node started or was last idle: an older estimate says
 * little about the first requests after a pause, because caches are cold and code may no longer be
 * compiled.
 */
public final class SearchLoad {

  private static final double ALPHA = 0.1;
  private static final long IDLE_NANOS = 250_000_000;

  private final int workers;
  private final LongSupplier nanoClock;
  private final Ewma serviceTime = new Ewma(ALPHA, 0);
  private final RobustMean slowness = new RobustMean();
  private int queued;
  private int running;
  private int trust;

  public SearchLoad(int workers, LongSupplier nanoClock) {
    if (workers < 1) {
      throw new IllegalArgumentException("workers is " + workers + ", must be at least 1");
    }
    this.workers = workers;
    this.nanoClock = nanoClock;
  }

  /**
   * A request was queued.
   *
   * @param expectedNanos the coordinator's expected time, 0 if unknown
   */
  public synchronized Task submitted(long expectedNanos) {
    queued++;
    return new Task(expectedNanos);
  }

  public synchronized ExecutorReport report() {
    return new ExecutorReport(queued, running, workers, (long) serviceTime.average(), slowness());
  }

  private Slowness slowness() {
    if (!slowness.known()) {
      return Slowness.UNKNOWN;
    }
    long age = Math.max(0, nanoClock.getAsLong() - slowness.lastNanos());
    return new Slowness(slowness.mean(), trust, age);
  }

  private void sampled(double factor, boolean whole) {
    long now = nanoClock.getAsLong();
    boolean wasIdle = slowness.known() && now - slowness.lastNanos() > IDLE_NANOS;
    if (whole) {
      trust = wasIdle ? 1 : trust + 1;
      slowness.add(factor, now);
    } else {
      slowness.addCensored(factor, now);
    }
  }

  /**
   * One request on this node. Queued → running → ended, or queued → ended; further outcomes are
   * ignored.
   */
  public final class Task {

    private enum Stage {
      QUEUED,
      RUNNING,
      ENDED
    }

    private final long expectedNanos;
    private Stage stage = Stage.QUEUED;
    private long startNanos;

    private Task(long expectedNanos) {
      this.expectedNanos = expectedNanos;
    }

    /** A worker begins to execute it. */
    public void started() {
      synchronized (SearchLoad.this) {
        if (stage == Stage.QUEUED) {
          stage = Stage.RUNNING;
          startNanos = nanoClock.getAsLong();
          queued--;
          running++;
        }
      }
    }

    /** It succeeded. Returns its execution time, 0 if no worker executed it. */
    public long finished() {
      synchronized (SearchLoad.this) {
        long took = end();
        if (took > 0) {
          serviceTime.add((double) took);
          if (expectedNanos > 0) {
            sampled((double) took / expectedNanos, true);
          }
        }
        return took;
      }
    }

    /** It failed or never ran, so its time is not a sample. */
    public void failed() {
      synchronized (SearchLoad.this) {
        end();
      }
    }

    /** It was cancelled while running, so its time is a lower bound. */
    public void cancelled() {
      synchronized (SearchLoad.this) {
        long took = end();
        if (took > 0 && expectedNanos > 0) {
          sampled((double) took / expectedNanos, false);
        }
      }
    }

    private long end() {
      Stage before = stage;
      stage = Stage.ENDED;
      return switch (before) {
        case QUEUED -> {
          queued--;
          yield 0;
        }
        case RUNNING -> {
          running--;
          yield Math.max(1, nanoClock.getAsLong() - startNanos);
        }
        case ENDED -> 0;
      };
    }
  }
}
