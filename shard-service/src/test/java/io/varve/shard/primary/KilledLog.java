package io.varve.shard.primary;

import io.varve.events.RawRecord;
import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import java.util.Set;

/**
 * A message log whose user is killed at one of its steps: a request, a record that is read, or an
 * append before or after it lands.
 */
final class KilledLog implements MessageLog {

  /** The process ends here. */
  static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final MessageLog log;
  private int stepsLeft;

  /**
   * @param steps the kill is at the step after that many
   */
  KilledLog(MessageLog log, int steps) {
    this.log = log;
    this.stepsLeft = steps;
  }

  private synchronized void step() {
    if (stepsLeft-- == 0) {
      throw new KilledException();
    }
  }

  @Override
  public PartitionLog open(String topic, int partition) {
    return new DelegatingLog(log.open(topic, partition)) {

      @Override
      public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
        step();
        super.append(record, callback);
        step();
      }

      @Override
      public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
        step();
        super.read(
            fromOffset,
            toOffset,
            stored -> {
              step();
              visitor.visit(stored);
            });
      }

      @Override
      public long startOffset() throws LogException.Unavailable {
        step();
        return super.startOffset();
      }

      @Override
      public long endOffset() throws LogException.Unavailable {
        step();
        return super.endOffset();
      }
    };
  }

  @Override
  public void createTopic(TopicSpec topic) throws LogException {
    log.createTopic(topic);
  }

  @Override
  public void deleteTopic(String topic) throws LogException {
    log.deleteTopic(topic);
  }

  @Override
  public Set<String> topics() throws LogException {
    return log.topics();
  }

  @Override
  public String topicId(String topic) throws LogException {
    return log.topicId(topic);
  }

  @Override
  public void close() {
    log.close();
  }
}
