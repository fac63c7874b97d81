package io.varve.log;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs notifications one after the other, in the order in which they were queued.
 *
 * <p>Notifications are queued under the owner's lock and run outside of it, by {@link #deliver}.
 * One thread delivers at a time; a concurrent or reentrant call leaves its notifications to that
 * thread. An exception of a listener is logged and does not affect the others.
 */
final class OrderedDelivery {

  private static final Logger LOG = LoggerFactory.getLogger(OrderedDelivery.class);

  private final Deque<Runnable> news = new ArrayDeque<>();
  private boolean delivering;

  synchronized void note(Runnable telling) {
    news.addLast(telling);
  }

  void deliver() {
    synchronized (this) {
      if (delivering) {
        return;
      }
      delivering = true;
    }
    for (Runnable telling = next(); telling != null; telling = next()) {
      try {
        telling.run();
      } catch (RuntimeException e) {
        LOG.error("a listener of the log threw an exception", e);
      } catch (Error e) {
        stopped();
        throw e;
      }
    }
  }

  private synchronized void stopped() {
    delivering = false;
  }

  private synchronized @Nullable Runnable next() {
    Runnable telling = news.pollFirst();
    delivering = telling != null;
    return telling;
  }
}
