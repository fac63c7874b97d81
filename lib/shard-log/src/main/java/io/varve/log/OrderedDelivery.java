package io.varve.log;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happened, one after the other in the order in which it was noted, whoever
 * does the telling.
 *
 * <p>What is noted under a lock of the owner's is told later outside of it, by {@link #deliver}.
 * One thread at a time delivers; another that calls meanwhile, or a listener that calls from
 * inside, leaves its news to that one. A listener that throws is logged and keeps nobody from
 * hearing.
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
        LOG.error("a listener of the log failed", e);
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
