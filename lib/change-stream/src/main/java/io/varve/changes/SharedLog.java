package io.varve.changes;

import io.varve.log.MessageLog;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A log that is opened when it is first needed. */
final class SharedLog implements Supplier<MessageLog>, AutoCloseable {

  private final Supplier<MessageLog> opener;
  private @Nullable MessageLog log;

  SharedLog(Supplier<MessageLog> opener) {
    this.opener = opener;
  }

  @Override
  public synchronized MessageLog get() {
    if (log == null) {
      log = opener.get();
    }
    return log;
  }

  @Override
  public synchronized void close() {
    if (log != null) {
      log.close();
      log = null;
    }
  }
}
