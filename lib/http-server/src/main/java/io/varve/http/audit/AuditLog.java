package io.varve.http.audit;

import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events to the audit topic, in the background and in order. A failed append is retried
 * until it succeeds, so that an event may be in the topic twice, with the same id.
 *
 * <p>INVARIANT: at most {@code capacity} events wait. A change first {@link #reserve reserves} a
 * slot in the queue for its event, and is refused if no slot is free. Every change that is made is
 * therefore recorded, unless the process ends first. Other events are dropped and counted when no
 * slot is free. No method waits.
 */
public final class AuditLog implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final long PAUSE_MILLIS = 500;

  /** A reserved slot for an event that is recorded later. */
  public final class Place {

    private Place() {}

    /** Must be called exactly once. */
    public void write(AuditEvent event) {
      events.add(event);
    }
  }

  /** Opens the topic; retried after a failure. */
  @FunctionalInterface
  public interface Destination {
    PartitionLog open() throws LogException, InterruptedException;
  }

  private final Destination destination;
  private final Semaphore places;
  private final int capacity;
  private final BlockingQueue<AuditEvent> events = new LinkedBlockingQueue<>();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Thread writer;

  /**
   * @param capacity events that may wait
   */
  public AuditLog(Destination destination, int capacity) {
    this.destination = destination;
    this.capacity = capacity;
    this.places = new Semaphore(capacity);
  }

  /** In a topic that is created if it does not exist. */
  public static AuditLog creating(MessageLog log, TopicSpec topic, int capacity) {
    return new AuditLog(
        () -> {
          log.createTopic(topic);
          return log.open(topic.name(), 0);
        },
        capacity);
  }

  /** Returns immediately. */
  public void start() {
    writer = Thread.ofVirtual().name("audit").start(this::run);
  }

  /**
   * Reserves a slot for the event of a change.
   *
   * @throws ApiException 503 if no slot is free
   */
  public Place reserve() {
    if (!places.tryAcquire()) {
      throw new ApiException(
          503,
          "security_exception",
          "the change can't be recorded, because "
              + capacity
              + " events wait to be written to the audit log");
    }
    return new Place();
  }

  /** Records the event if a slot is free. */
  public void offer(AuditEvent event) {
    if (places.tryAcquire()) {
      events.add(event);
    } else {
      drop();
    }
  }

  /** Counts an event that is not recorded. */
  void drop() {
    dropped.incrementAndGet();
  }

  /** Events that wait, and changes in progress. */
  public int waiting() {
    return capacity - places.availablePermits();
  }

  public long written() {
    return written.get();
  }

  /**
   * Events that were not recorded because no place was left, or because of the limit per second.
   */
  public long dropped() {
    return dropped.get();
  }

  private void run() {
    try {
      PartitionLog partition = open();
      while (true) {
        append(partition, events.take());
        places.release();
        written.incrementAndGet();
      }
    } catch (InterruptedException e) {
      LOG.debug("closed", e);
    }
  }

  private PartitionLog open() throws InterruptedException {
    while (true) {
      try {
        return destination.open();
      } catch (LogException e) {
        LOG.warn("the audit topic can't be opened yet: {}", e.getMessage());
        pause();
      }
    }
  }

  private void append(PartitionLog partition, AuditEvent event) throws InterruptedException {
    RawRecord record =
        RawRecord.keyed(event.id().getBytes(StandardCharsets.UTF_8), Json.write(event));
    while (true) {
      try {
        var _ = Appends.await(partition, record);
        return;
      } catch (LogException e) {
        LOG.warn("the audit log can't be written, {} events wait: {}", waiting(), e.getMessage());
        pause();
      }
    }
  }

  private void pause() throws InterruptedException {
    if (closed.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
      throw new InterruptedException("closed");
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Thread running = writer;
    if (running != null) {
      running.interrupt();
    }
  }
}
