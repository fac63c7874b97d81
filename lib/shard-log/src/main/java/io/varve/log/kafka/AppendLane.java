package io.varve.log.kafka;

import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The appends to one partition, in order, without ever blocking the caller.
 *
 * <p>The producer accepts an append immediately if it knows the partition's leader. Otherwise, at
 * the first append or during an outage, the append is queued here together with those that follow,
 * and a virtual thread retries them until they are accepted or time out.
 *
 * <p>The lane changes to another producer when its producer has failed, or is retired and has none
 * of the lane's appends in flight: two producers at once would not keep the order of appends.
 */
final class AppendLane {

  private record Waiting(PendingAppend append, long deadlineNanos) {}

  private final long timeoutNanos;
  private final Ticker clock;
  private final Sleeper sleeper;
  private final Supplier<SharedProducer> producers;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Appends that the producer has accepted and not ended. */
  private final AtomicInteger inFlight = new AtomicInteger();

  private @Nullable SharedProducer producer;
  private long usedNanos;
  private boolean ended;

  /**
   * @param producers throws KafkaException or IllegalStateException if no producer can be created
   */
  AppendLane(Duration timeout, Ticker clock, Sleeper sleeper, Supplier<SharedProducer> producers) {
    this.timeoutNanos = timeout.toNanos();
    this.clock = clock;
    this.sleeper = sleeper;
    this.producers = producers;
    this.usedNanos = clock.nanos();
  }

  /** Returns false if this lane has ended; then nothing was done. */
  synchronized boolean append(PendingAppend append) {
    if (ended) {
      return false;
    }
    usedNanos = clock.nanos();
    if (waiting.isEmpty() && offer(append)) {
      return true;
    }
    waiting.addLast(new Waiting(append, usedNanos + timeoutNanos));
    if (waiting.size() == 1) {
      Thread.ofVirtual().start(this::offerAgain);
    }
    return true;
  }

  /**
   * Ends the lane if it has had no append in flight since that time; returns whether it has ended.
   */
  synchronized boolean endIfIdleSince(long nanos) {
    return usedNanos - nanos < 0 && endIfIdle();
  }

  /** Ends the lane if it has no append in flight; returns whether it has ended. */
  synchronized boolean endIfIdle() {
    ended |= waiting.isEmpty() && inFlight.get() == 0;
    return ended;
  }

  /** Returns false if nothing was sent and no callback ran. */
  private boolean offer(PendingAppend append) {
    SharedProducer sender;
    try {
      sender = beginOnProducer();
    } catch (KafkaException | IllegalStateException e) {
      append.failElsewhere(e);
      return true;
    }
    inFlight.incrementAndGet();
    return append.send(
        sender,
        () -> {
          inFlight.decrementAndGet();
          sender.end();
        });
  }

  private SharedProducer beginOnProducer() {
    SharedProducer sender = producer;
    while (sender == null || mayLeave(sender) || !sender.begin()) {
      sender = producers.get();
      producer = sender;
    }
    return sender;
  }

  private boolean mayLeave(SharedProducer sender) {
    return sender.hasFailed() || (sender.isRetired() && inFlight.get() == 0);
  }

  /** Ends when the queue is empty; the next append that is queued starts a new thread. */
  private void offerAgain() {
    // The producer has no notification for newly learnt topic metadata.
    Pauses pauses = new Pauses(sleeper);
    boolean more = true;
    while (more) {
      pauses.pause();
      List<PendingAppend> late = new ArrayList<>();
      more = offerWaiting(late);
      late.forEach(append -> append.giveUp("its partition has no known leader"));
    }
  }

  private synchronized boolean offerWaiting(List<PendingAppend> late) {
    while (!waiting.isEmpty() && offer(waiting.getFirst().append())) {
      waiting.removeFirst();
    }
    long nowNanos = clock.nanos();
    while (!waiting.isEmpty() && nowNanos - waiting.getFirst().deadlineNanos() > 0) {
      late.add(waiting.removeFirst().append());
    }
    return !waiting.isEmpty();
  }
}
