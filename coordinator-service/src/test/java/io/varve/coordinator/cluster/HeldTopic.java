package io.varve.coordinator.cluster;

import io.varve.events.StoredRecord;
import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaMessageLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.boot.SpringApplicationRunListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The followers of a topic in one service get no new records while it is held, as if the broker
 * delivered them late.
 */
final class HeldTopic implements SpringApplicationRunListener {

  private final String topic;
  private final List<Runnable> held = new ArrayList<>();
  private boolean isHeld;

  HeldTopic(String topic) {
    this.topic = topic;
  }

  synchronized void hold() {
    isHeld = true;
  }

  synchronized void release() {
    isHeld = false;
    held.forEach(Runnable::run);
    held.clear();
  }

  private synchronized void deliver(Runnable delivery) {
    if (isHeld) {
      held.add(delivery);
    } else {
      delivery.run();
    }
  }

  @Override
  public void contextPrepared(ConfigurableApplicationContext context) {
    ((GenericApplicationContext) context)
        .registerBean(
            "logWithHeldTopic",
            MessageLog.class,
            () -> new Log(context.getBean(KafkaMessageLog.class)),
            definition -> definition.setPrimary(true));
  }

  /** The log of the service, which also closes it. */
  private final class Log implements MessageLog {

    private final MessageLog log;

    Log(MessageLog log) {
      this.log = log;
    }

    @Override
    public PartitionLog open(String name, int partition) {
      PartitionLog opened = log.open(name, partition);
      return name.equals(topic) ? new Partition(opened) : opened;
    }

    @Override
    public void createTopic(TopicSpec spec) throws LogException {
      log.createTopic(spec);
    }

    @Override
    public void createTopics(List<TopicSpec> specs) throws LogException {
      log.createTopics(specs);
    }

    @Override
    public void deleteTopic(String name) throws LogException {
      log.deleteTopic(name);
    }

    @Override
    public void deleteTopics(List<String> names) throws LogException {
      log.deleteTopics(names);
    }

    @Override
    public Set<String> topics() throws LogException {
      return log.topics();
    }

    @Override
    public String topicId(String name) throws LogException {
      return log.topicId(name);
    }

    @Override
    public void close() {}
  }

  private final class Partition extends DelegatingLog {

    Partition(PartitionLog partition) {
      super(partition);
    }

    @Override
    public Subscription subscribe(long fromOffset, BatchListener listener) {
      return super.subscribe(fromOffset, new Late(listener));
    }
  }

  /** Delivers in order. */
  private final class Late implements PartitionLog.BatchListener {

    private final PartitionLog.BatchListener listener;

    Late(PartitionLog.BatchListener listener) {
      this.listener = listener;
    }

    @Override
    public void records(List<StoredRecord> batch) {
      deliver(() -> listener.records(batch));
    }

    @Override
    public void logEnd(long offset, long ageNanos) {
      deliver(() -> listener.logEnd(offset, ageNanos));
    }

    @Override
    public void reconnected() {
      deliver(listener::reconnected);
    }

    @Override
    public boolean isReady() {
      return listener.isReady();
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      deliver(() -> listener.lost(reason));
    }
  }
}
