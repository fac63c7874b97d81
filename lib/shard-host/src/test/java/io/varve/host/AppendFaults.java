package io.varve.host;

import io.varve.events.RawRecord;
import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * A message log in which tests choose the fate of appends of operations, of manifests and of
 * progress. All other calls are passed on.
 */
public final class AppendFaults implements MessageLog {

  public enum Fate {
    ACCEPTED,
    /** The callback is not called until {@link #endUnanswered}. */
    UNANSWERED,
    /** The outcome is reported as unknown; the record is not in the log. */
    LOST,
    /** The log's buffer is full. */
    REFUSED
  }

  public volatile Fate ofOperations = Fate.ACCEPTED;
  public volatile Fate ofManifests = Fate.ACCEPTED;
  public volatile Fate ofProgress = Fate.ACCEPTED;

  private final MessageLog inner;
  private final MessageLog shards;
  private final Executor logThread;
  private final Queue<PartitionLog.AppendCallback> unanswered = new ConcurrentLinkedQueue<>();

  /**
   * @param shards the log of operations and manifests
   */
  AppendFaults(MessageLog inner, MessageLog shards, Executor logThread) {
    this.inner = inner;
    this.shards = shards;
    this.logThread = logThread;
  }

  /** The number of appends without an answer. */
  public int unanswered() {
    return unanswered.size();
  }

  /** Ends all appends without an outcome: a copy waits for them when it closes. */
  public void endUnanswered() {
    for (PartitionLog.AppendCallback callback = unanswered.poll();
        callback != null;
        callback = unanswered.poll()) {
      PartitionLog.AppendCallback ended = callback;
      logThread.execute(() -> ended.unknown("the log was closed"));
    }
  }

  @Override
  public PartitionLog open(String topic, int partition) {
    if (topic.contains(".ops.")) {
      return new Partition(shards.open(topic, partition), () -> ofOperations);
    }
    if (topic.contains(".manifests.")) {
      return new Partition(shards.open(topic, partition), () -> ofManifests);
    }
    return topic.endsWith(".progress")
        ? new Partition(inner.open(topic, partition), () -> ofProgress)
        : inner.open(topic, partition);
  }

  @Override
  public void createTopic(TopicSpec topic) throws LogException {
    inner.createTopic(topic);
  }

  @Override
  public void deleteTopic(String topic) throws LogException {
    inner.deleteTopic(topic);
  }

  @Override
  public Set<String> topics() throws LogException {
    return inner.topics();
  }

  @Override
  public String topicId(String topic) throws LogException {
    return inner.topicId(topic);
  }

  @Override
  public void close() {
    inner.close();
  }

  private final class Partition extends DelegatingLog {

    private final Supplier<Fate> fate;

    Partition(PartitionLog inner, Supplier<Fate> fate) {
      super(inner);
      this.fate = fate;
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      switch (fate.get()) {
        case ACCEPTED -> super.append(record, callback);
        case UNANSWERED -> unanswered.add(callback);
        case LOST -> logThread.execute(() -> callback.unknown("the broker went away"));
        case REFUSED -> throw new LogException.Full("too much is under way");
      }
    }
  }
}
