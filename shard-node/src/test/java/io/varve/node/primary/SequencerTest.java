package io.varve.node.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.engine.EngineConfig;
import io.varve.engine.Parsed;
import io.varve.engine.ShardEngine;
import io.varve.events.ShardId;
import io.varve.log.FencedReplay;
import io.varve.log.FencedWriter;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.node.FailingMapping;
import io.varve.rpc.WriteItem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a log in memory that answers on the caller's thread. */
class SequencerTest {

  private static final ShardId SHARD = new ShardId("u1", 0);

  @TempDir Path folder;
  private final PartitionLog log =
      new InMemoryMessageLog(Runnable::run, () -> 0).open("operations", 0);

  private FencedWriter opened() throws Exception {
    FencedWriter writer = new FencedWriter(log, 1, "n1", Runnable::run, (_, _) -> {});
    writer.appendFence(_ -> {});
    TermFence fence = new TermFence();
    TermFence.Verdict own = FencedReplay.upTo(log, 0, log.endOffset() - 1, fence, _ -> {});
    assertThat(writer.open(fence, own)).isTrue();
    return writer;
  }

  private static BulkRequest request(String id) {
    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    WriteItem item = WriteItem.index(id, body);
    return new BulkRequest(List.of(item), () -> {});
  }

  @Test
  void othersMayGoOnWhenWhatWasAcceptedCouldNotBeHandedOn() throws Exception {
    try (ShardEngine engine =
        ShardEngine.open(new EngineConfig(SHARD, folder, 1, Map.of()), new FailingMapping())) {
      Sequencer sequencer =
          new Sequencer(
              engine,
              opened(),
              1 << 20,
              0,
              _ -> {
                throw new RejectedExecutionException("the node is closing");
              });
      BulkRequest request = request("a");
      List<Parsed> parsed = List.of(engine.parse(request.items().getFirst()));

      assertThatThrownBy(() -> sequencer.sequence(request, parsed, 0))
          .isInstanceOf(RejectedExecutionException.class);

      assertThat(CompletableFuture.supplyAsync(sequencer::nextSeqNo).get(60, TimeUnit.SECONDS))
          .isEqualTo(1);
    }
  }
}
