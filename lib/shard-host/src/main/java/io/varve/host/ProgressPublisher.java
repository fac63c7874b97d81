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
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the progress of each copy: after a change, at most once per 50 ms and copy, and once a
 * second in any case.
 */
public final class ProgressPublisher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressPublisher.class);
  private static final long COALESCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long EVERY_MILLIS = 1000;

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
        publishedNanos = clock.nanos();
      }
      try {
        append(partition, RawRecord.keyed(key, Json.write(progress.get())));
      } catch (LogException.Full | RuntimeException | Error e) {
        // A failure of one copy, such as of its memory-mapped files, must not end the timer for all
        // copies.
        notPublished(e.toString());
      }
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
            EVERY_MILLIS,
            EVERY_MILLIS,
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
      append(partition, RawRecord.keyed(copyId.getBytes(StandardCharsets.UTF_8), null));
    } catch (LogException.Full e) {
      notPublished(e.toString());
    }
  }

  private void append(PartitionLog partition, RawRecord record) throws LogException.Full {
    partition.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            failures.set(0);
          }

          @Override
          public void unknown(String reason) {
            notPublished(reason);
          }
        });
  }

  private void notPublished(String reason) {
    if (failures.getAndIncrement() == 0) {
      LOG.warn("the log does not take the progress of copies: {}", reason);
    }
  }

  @Override
  public void close() {
    sources.clear();
  }
}
