package io.varve.log;

class InMemoryMessageLogTest extends PartitionLogContract {

  private final MessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);

  @Override
  MessageLog log() {
    return log;
  }
}
