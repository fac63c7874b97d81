package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.engine.Checkpoint;
import io.varve.engine.EngineConfig;
import io.varve.engine.EngineException;
import io.varve.engine.ShardEngine;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.host.CopyContext;
import io.varve.host.FailingMapping;
import io.varve.host.NodeWorld;
import io.varve.host.ReadAhead;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.host.apply.ApplyLanes;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An Error while applying an operation is treated as a failure, like an exception. The number of
 * records read but not yet applied is limited.
 */
class ReplayAndApplyTest {

  @TempDir Path folder;
  private final FailingMapping mapping = new FailingMapping();
  private final ApplyLanes lanes = new ApplyLanes(1, Runnable::run);
  private NodeWorld world;
  private CopyContext context;
  private ShardEngine engine;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
    context = world.copy("n1");
    engine =
        ShardEngine.open(
            new EngineConfig(NodeWorld.SHARD, folder.resolve("index"), 1, Map.of()), mapping);
  }

  @AfterEach
  void close() {
    engine.close();
    world.close();
  }

  private static Operation operation(long seqNo) {
    byte[] source = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    return new Operation(1, seqNo, 1, 1, "b" + seqNo, null, source, null);
  }

  @Test
  void aReplayWithAnOperationThatWasNotAppliedFails() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(OperationCodec.encode(operation(0)));
    append(OperationCodec.encode(operation(1)));
    ReplayToFence replay =
        new ReplayToFence(context, world.operations(), engine, lanes, Checkpoint.NONE);
    mapping.failOnce();

    long end = world.operations().endOffset();

    assertThatThrownBy(() -> replay.replayTo(end - 1))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("StackOverflowError");
  }

  @Test
  void aWriteThatWasNotAppliedIsUnknownAndEndsTheCopy() {
    AppliedOperations applied = new AppliedOperations(lanes);
    List<String> failed = new ArrayList<>();
    List<String> endings = new ArrayList<>();
    applied.begin(
        engine,
        new AppliedCheckpoint(0, 0, -1),
        new AppliedOperations.Listeners(_ -> {}, failed::add));
    mapping.failOnce();

    applied.accept(List.of(pending(0, endings), pending(1, endings)));

    assertThat(endings.getFirst()).startsWith("unknown");
    assertThat(endings).as("those behind it are answered too").hasSize(2);
    assertThat(failed).singleElement().asString().contains("StackOverflowError");
    assertThat(applied.seqNo().current()).isEqualTo(-1);
  }

  private static Batch.Pending pending(long seqNo, List<String> endings) {
    Batch.Pending pending =
        new Batch.Pending(
            operation(seqNo),
            null,
            new Batch.Ending() {
              @Override
              public void applied() {
                endings.add("applied");
              }

              @Override
              public void unknown(String reason) {
                endings.add("unknown " + reason);
              }

              @Override
              public void rejected(String reason) {
                endings.add("rejected " + reason);
              }
            });
    pending.offset = seqNo;
    return pending;
  }

  private void append(RawRecord record) throws Exception {
    world
        .operations()
        .append(
            record,
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                // The error is reported to the reader of the future.
              }

              @Override
              public void unknown(String reason) {
                throw new AssertionError(reason);
              }
            });
  }

  @Test
  void aReplayLimitsTheBytesReadAhead() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    for (long seqNo = 0; seqNo < 100; seqNo++) {
      append(OperationCodec.encode(operation(seqNo)));
    }
    world.readAhead = new ReadAhead(1_000);
    BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    ReplayToFence replay =
        new ReplayToFence(
            world.copy("n1"),
            world.operations(),
            engine,
            new ApplyLanes(1, tasks::add),
            Checkpoint.NONE);
    AtomicReference<Throwable> ended = new AtomicReference<>();
    Thread replaying =
        Thread.ofVirtual()
            .start(() -> {
              try {
                replay.replayTo(world.operations().endOffset() - 1);
              } catch (Exception e) {
                ended.set(e);
              }
            });
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> world.readAhead.bytes() >= 900 && replaying.getState() == Thread.State.WAITING);

    assertThat(world.readAhead.bytes()).isLessThanOrEqualTo(1_000);
    while (replaying.isAlive()) {
      Runnable task = tasks.poll(10, TimeUnit.MILLISECONDS);
      if (task != null) {
        task.run();
      }
    }

    assertThat(ended.get()).isNull();
    assertThat(engine.maxSeqNo()).isEqualTo(99);
    assertThat(world.readAhead.bytes()).isZero();
  }
}
