package io.varve.testkit.sim;

import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import java.util.Set;

/**
 * The message log as one process sees it, for production code that opens partitions itself. A topic
 * exists once it is opened.
 */
final class SimMessageLog implements MessageLog {

  private final World world;
  private final SimProcess process;

  SimMessageLog(World world, SimProcess process) {
    this.world = world;
    this.process = process;
  }

  @Override
  public PartitionLog open(String topic, int partition) {
    return new SimulatedLog(
        world.logs().partition(topic, partition), process, world, process.toString());
  }

  @Override
  public void createTopic(TopicSpec topic) {
    throw new UnsupportedOperationException("creating " + topic.name());
  }

  @Override
  public void deleteTopic(String topic) {
    throw new UnsupportedOperationException("deleting " + topic);
  }

  @Override
  public Set<String> topics() {
    throw new UnsupportedOperationException("listing topics");
  }

  @Override
  public String topicId(String topic) {
    throw new UnsupportedOperationException("the id of " + topic);
  }

  @Override
  public void close() {
    // The partitions end with the process.
  }
}
