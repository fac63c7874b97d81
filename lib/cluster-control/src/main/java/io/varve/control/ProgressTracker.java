package io.varve.control;

import io.varve.cluster.Topics;
import io.varve.events.CopyProgress;
import io.varve.events.Json;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** The last progress report of each copy, and its arrival time by the clock of this process. */
public final class ProgressTracker implements AutoCloseable {

  /** A report; {@code arrivedMillis} is comparable only with times of the same clock. */
  public record Seen(CopyProgress progress, long arrivedMillis) {}

  private final Map<String, Seen> byCopy = new ConcurrentHashMap<>();
  private final LongSupplier clockMillis;
  private final TopicTail tail;

  public ProgressTracker(
      MessageLog log, Topics topics, LongSupplier clockMillis, Executor blocking) {
    this.clockMillis = clockMillis;
    this.tail =
        new TopicTail(
            log, topics.progress(), TopicTail.From.START, this::read, blocking, TopicTail.PAUSE);
  }

  public void start() throws LogException {
    tail.start(Topics.PROGRESS_PARTITIONS);
  }

  private void read(int partition, StoredRecord stored) {
    byte[] key = stored.record().key();
    byte[] value = stored.record().value();
    if (value != null) {
      CopyProgress progress = Json.read(value, CopyProgress.class);
      byCopy.put(progress.copyId(), new Seen(progress, clockMillis.getAsLong()));
    } else if (key != null) {
      byCopy.remove(new String(key, StandardCharsets.UTF_8));
    }
  }

  public Optional<CopyProgress> of(String copyId) {
    return seen(copyId).map(Seen::progress);
  }

  public Optional<Seen> seen(String copyId) {
    return Optional.ofNullable(byCopy.get(copyId));
  }

  /** The time since the arrival of the report. */
  public long ageMillis(Seen seen) {
    return Math.max(0, clockMillis.getAsLong() - seen.arrivedMillis());
  }

  @Override
  public void close() {
    tail.close();
  }
}
