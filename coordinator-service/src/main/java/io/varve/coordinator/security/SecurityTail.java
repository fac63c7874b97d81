package io.varve.coordinator.security;

import io.varve.events.StoredRecord;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.UnreadableRecordException;
import io.varve.rpc.ApiException;
import io.varve.security.SecurityFold;
import io.varve.security.SecurityState;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the security topic and folds its accepted events.
 *
 * <pre>
 *   STARTING -> OPEN     the topic was read up to the end that it had at the start
 *   any      -> CLOSED   a record can't be read, or the topic no longer exists
 * </pre>
 *
 * INVARIANT: only an open tail has a state. A closed tail never opens again, because the record
 * that can't be read may have revoked a permission.
 */
final class SecurityTail implements SecurityStates, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SecurityTail.class);

  private final PartitionLog log;
  private final SecurityFold fold = new SecurityFold();
  private final OffsetWatcher position = new OffsetWatcher(0);
  private final OffsetWatcher version = new OffsetWatcher(0);
  private volatile Current current = new Current(SecurityState.EMPTY);
  private volatile boolean open;
  private volatile String closedReason = "";
  private @Nullable FencedTail tail;

  SecurityTail(PartitionLog log) {
    this.log = log;
  }

  /**
   * Returns when the topic was read up to its end.
   *
   * @throws LogException the log does not answer; may be called again
   */
  void start() throws LogException, InterruptedException {
    long end = log.endOffset();
    if (log.startOffset() > 0) {
      shut("the topic begins at offset " + log.startOffset() + ": records were deleted");
      return;
    }
    synchronized (this) {
      if (tail == null) {
        tail = FencedTail.follow(log, 0, new TermFence(), new Listener());
      }
    }
    while (closedReason.isEmpty()) {
      if (position.await(end, Duration.ofSeconds(1))) {
        open = true;
        return;
      }
    }
  }

  private final class Listener implements FencedTail.Listener {

    @Override
    public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
      if (!closedReason.isEmpty()) {
        return;
      }
      try {
        batch.forEach(stored -> fold.add(stored.record().value()));
      } catch (RuntimeException e) {
        shut("a record before offset " + nextOffset + " can't be read: " + e);
        return;
      }
      if (!batch.isEmpty()) {
        current = new Current(fold.state());
        version.advanceTo(fold.state().version());
      }
      position.advanceTo(nextOffset);
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      shut(String.valueOf(reason.getMessage()));
    }

    @Override
    public void unreadable(UnreadableRecordException reason) {
      shut(String.valueOf(reason.getMessage()));
    }
  }

  private void shut(String reason) {
    LOG.error(
        "the security topic can't be read, this coordinator refuses all requests: {}", reason);
    open = false;
    closedReason = reason;
    version.close();
  }

  @Override
  public Current current() {
    if (!isOpen()) {
      throw new ApiException(
          503,
          "security_exception",
          closedReason.isEmpty()
              ? "the security state is not read yet"
              : "the security state can't be read: " + closedReason);
    }
    return current;
  }

  /** If a record that can't be read arrives while the start opens this tail, the tail is closed. */
  boolean isOpen() {
    return open && closedReason.isEmpty();
  }

  /** Whether the state is not known and never will be. */
  boolean isClosed() {
    return !closedReason.isEmpty();
  }

  /** The version of the state that was read so far. */
  long version() {
    return version.current();
  }

  /** Waits until the state has at least this version; false on timeout, or if it is closed. */
  boolean awaitVersion(long target, Duration timeout) throws InterruptedException {
    return version.await(target, timeout);
  }

  @Override
  public synchronized void close() {
    open = false;
    if (tail != null) {
      tail.close();
    }
    position.close();
    version.close();
  }
}
