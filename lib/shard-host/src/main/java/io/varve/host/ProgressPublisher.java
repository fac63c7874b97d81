package io.varve.host;

import io.varve.cluster.Topics;
import io.varve.events.CopyProgress;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.process.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the progress of each copy: after a change, at most once per 50 ms and copy. Each second
 * it looks for changes of which it was not notified. A copy whose progress did not change reports
 * it again after 30 s only: until then, the heartbeats of its node confirm the last report.
 */
public final class ProgressPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressPublisher.class);
  private static final long COALESCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LOOK_MILLIS = 1000;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final MessageLog log;
  private final Topics topics;
  private final ScheduledExecutorService timer;
  private final Ticker clock;
  private final Map<String, Source> sources = new ConcurrentHashMap<>();
  private final AtomicLong failures = new AtomicLong();

  /** The progress of one copy. */
  private final class Source {
    final PartitionLog partition;
    final byte[] key;
    final Supplier<CopyProgress> progress;
    private boolean planned;
    private long publishedNanos;

    /** The last report; absent if it is uncertain whether the log has it. */
    private @Nullable CopyProgress published;

    Source(String copyId, Supplier<CopyProgress> progress) {
      this.partition =
          log.open(topics.progress(), Topics.partitionOf(copyId, Topics.PROGRESS_PARTITIONS));
      this.key = copyId.getBytes(StandardCharsets.UTF_8);
      this.progress = progress;
      this.publishedNanos = clock.nanos() - COALESCE_NANOS;
    }

    synchronized void changed() {
      if (!planned) {
        planned = true;
        long nanos = Math.max(0, publishedNanos + COALESCE_NANOS - clock.nanos());
        try {
          var _ = timer.schedule(this::publish, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
          planned = false;
          LOG.debug("the node is closing: {}", e.getMessage());
        }
      }
    }

    void publish() {
      synchronized (this) {
        planned = false;
      }
      try {
        CopyProgress now = progress.get();
        if (isDue(now)) {
          append(partition, RawRecord.keyed(key, Json.write(now)), this::notPublished);
        }
      } catch (LogException.Full | RuntimeException | Error e) {
        // A failure of one copy, such as of its memory-mapped files, must not end the timer for all
        // copies.
        notPublished(e.toString());
      }
    }

    private synchronized boolean isDue(CopyProgress now) {
      boolean isDue =
          published == null
              || !now.equalsExceptTime(published)
              || clock.nanos() - publishedNanos >= IDLE_NANOS;
      if (isDue) {
        publishedNanos = clock.nanos();
        published = now;
      }
      return isDue;
    }

    private void notPublished(String reason) {
      synchronized (this) {
        published = null;
      }
      failed(reason);
    }
  }

  public ProgressPublisher(
      MessageLog log, Topics topics, ScheduledExecutorService timer, Ticker clock) {
    this.log = log;
    this.topics = topics;
    this.timer = timer;
    this.clock = clock;
    var _ =
        timer.scheduleWithFixedDelay(
            () -> sources.values().forEach(Source::publish),
            LOOK_MILLIS,
            LOOK_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Publishes the progress of this copy until {@link #remove}. */
  public void add(String copyId, Supplier<CopyProgress> progress) {
    sources.put(copyId, new Source(copyId, progress));
  }

  public void changed(String copyId) {
    Source source = sources.get(copyId);
    if (source != null) {
      source.changed();
    }
  }

  public void remove(String copyId) {
    sources.remove(copyId);
  }

  /** Deletes the last progress record of a copy that was removed permanently. */
  public void forget(String copyId) {
    remove(copyId);
    PartitionLog partition =
        log.open(topics.progress(), Topics.partitionOf(copyId, Topics.PROGRESS_PARTITIONS));
    try {
      append(
          partition, RawRecord.keyed(copyId.getBytes(StandardCharsets.UTF_8), null), this::failed);
    } catch (LogException.Full e) {
      failed(e.toString());
    }
  }

  private void append(PartitionLog partition, RawRecord record, Consumer<String> notPublished)
      throws LogException.Full {
    partition.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            failures.set(0);
          }

          @Override
          public void unknown(String reason) {
            notPublished.accept(reason);
          }
        });
  }

  private void failed(String reason) {
    if (failures.getAndIncrement() == 0) {
      LOG.warn("the log does not accept the progress of copies: {}", reason);
    }
  }

  @Override
  public void close() {
    sources.clear();
  }
}
