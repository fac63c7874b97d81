package io.varve.log;

class InMemoryMessageLogTest extends MessageLogContract {

  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);

  @Override
  MessageLog log() {
    return log;
  }

  @Override
  protected void cutEnd(PartitionLog partition, long endOffset) {
    log.cutEnd(partition.topic(), partition.partition(), endOffset);
  }
}
