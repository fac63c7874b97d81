package io.varve.process;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry of the threads without which a node can't work: its heartbeat, the leader's loop, the
 * tails of the log, the timers.
 *
 * <pre>
 *   running -> running   a step throws: it is logged, and the loop continues
 *   running -> dead      a step throws a fatal error, or the body itself throws
 *   running -> ended     the body returns
 * </pre>
 *
 * A dead thread makes the node's health DOWN and ends a guarded process: a node without a heartbeat
 * that still answers is worse than one that is restarted.
 */
public final class EssentialThreads {

  private static final Logger LOG = LoggerFactory.getLogger(EssentialThreads.class);

  private static final EssentialThreads THIS_PROCESS =
      new EssentialThreads((name, failure) ->
          FatalErrors.end(
              FatalErrors.status(failure), "the death of the thread [" + name + "]", failure));

  private final BiConsumer<String, Throwable> onDeath;
  private final Map<String, String> dead = new ConcurrentSkipListMap<>();

  /**
   * @param onDeath receives the name of a thread that died, and the cause
   */
  EssentialThreads(BiConsumer<String, Throwable> onDeath) {
    this.onDeath = onDeath;
  }

  /** The registry of this process, shared by all its services. */
  public static EssentialThreads ofThisProcess() {
    return THIS_PROCESS;
  }

  /** Wraps the body of a thread: an exception that it does not catch marks the thread as dead. */
  public Runnable body(String name, Runnable body) {
    return () -> {
      try {
        body.run();
      } catch (RuntimeException | Error e) {
        died(name, e);
        throw e;
      }
    };
  }

  /** Runs one step of a loop that must continue after any exception that is not fatal. */
  public void step(String name, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      if (FatalErrors.in(e).isPresent()) {
        died(name, e);
        throw e;
      }
      LOG.error("a step of the thread [{}] failed; the thread continues", name, e);
    }
  }

  private void died(String name, Throwable failure) {
    // First, because the code below needs memory.
    FatalErrors.endOn(failure);
    dead.put(name, failure.toString());
    onDeath.accept(name, failure);
    LOG.error("the essential thread [{}] has ended", name, failure);
  }

  /** The threads that died, with their causes. */
  public Map<String, String> dead() {
    return new TreeMap<>(dead);
  }
}
