package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.engine.EngineConfig;
import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.ShardEngine;
import io.varve.engine.WritableCopy;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.FailingMapping;
import io.varve.log.FencedReplay;
import io.varve.log.FencedWriter;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ApiException;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sequencer on an in-memory log that completes appends on the caller's thread. */
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

  /** A copy that accepts every operation. */
  private static final WritableCopy COPY =
      new WritableCopy() {
        @Override
        public Resolution resolve(WriteItem item, Parsed parsed) {
          throw new AssertionError("nothing is to be resolved");
        }

        @Override
        public void inFlight(Operation operation) {
          // Not used by the sequencer.
        }

        @Override
        public boolean apply(long offset, Operation operation, Resolution.Append decided) {
          return true;
        }
      };

  /** An operation of the leader's log, and its recorded outcomes. */
  private record FollowedOperation(Operation operation, List<String> endings)
      implements Sequencer.Followed {

    static FollowedOperation of(long seqNo) {
      return of(seqNo, null);
    }

    static FollowedOperation of(long seqNo, Operation.@Nullable Origin origin) {
      byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
      return new FollowedOperation(
          new Operation(1, seqNo, 1, 1, "a", null, source, origin), new ArrayList<>());
    }

    @Override
    public Batch.Ending ending() {
      return new Batch.Ending() {
        @Override
        public void applied() {
          endings.add("applied");
        }

        @Override
        public void unknown(String reason) {
          endings.add("unknown");
        }

        @Override
        public void rejected(String reason) {
          endings.add("rejected");
        }
      };
    }
  }

  /** A sequencer on a log whose appends complete when the test runs the queued tasks. */
  private Sequencer following(Queue<Runnable> answers) throws Exception {
    return following(answers, 1 << 20);
  }

  private Sequencer following(Queue<Runnable> answers, int maxRecordBytes) throws Exception {
    PartitionLog slow = new InMemoryMessageLog(answers::add, () -> 0).open("operations", 0);
    FencedWriter writer = new FencedWriter(slow, 1, "n1", Runnable::run, (_, _) -> {});
    writer.appendFence(_ -> {});
    answers.remove().run();
    TermFence fence = new TermFence();
    assertThat(writer.open(fence, FencedReplay.upTo(slow, 0, 0, fence, _ -> {}))).isTrue();
    return new Sequencer(
        COPY,
        writer,
        maxRecordBytes,
        0,
        accepted -> accepted.forEach(pending -> pending.ending.applied()));
  }

  @Test
  void anOperationThatIsRepeatedWhileItIsInFlightIsHeldOnceTheLogHasIt() throws Exception {
    Queue<Runnable> answers = new ArrayDeque<>();
    Sequencer sequencer = following(answers);
    sequencer.follow(List.of(FollowedOperation.of(0)));
    FollowedOperation repeated = FollowedOperation.of(0);

    assertThat(sequencer.follow(List.of(repeated))).isZero();
    assertThat(repeated.endings()).isEmpty();

    answers.remove().run();
    assertThat(repeated.endings()).containsExactly("applied");
    FollowedOperation later = FollowedOperation.of(0);
    assertThat(sequencer.follow(List.of(later))).isZero();
    assertThat(later.endings()).containsExactly("applied");
  }

  @Test
  void anOperationThatItsOriginMakesTooLongIsRefusedWithItsPlaceInTheLeadersLog() throws Exception {
    Sequencer sequencer = following(new ArrayDeque<>(), 60);
    assertThat(sequencer.follow(List.of(FollowedOperation.of(0)))).isEqualTo(1);

    assertThatThrownBy(() ->
            sequencer.follow(
                List.of(
                    new FollowedOperation(
                        new Operation(
                            1, 1, 1, 1, "a", null, new byte[60], new Operation.Origin(7, 1, 5)),
                        new ArrayList<>()))))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(413);
              assertThat(refused.error().fields())
                  .containsEntry("leader_offset", 7L)
                  .containsEntry(ReplicateWire.REFUSED_SEQ_NO, 1L);
            });
  }

  @Test
  void operationsOfAnotherHistoryThanTheNewestHereAreRefusedAsAWhole() throws Exception {
    Queue<Runnable> answers = new ArrayDeque<>();
    Sequencer sequencer = following(answers);
    sequencer.follow(
        List.of(
            FollowedOperation.of(0, new Operation.Origin(1, 1, 77)),
            FollowedOperation.of(1, new Operation.Origin(2, 1, 78))));
    FollowedOperation first = FollowedOperation.of(0, new Operation.Origin(1, 1, 77));

    assertThatThrownBy(() ->
            sequencer.follow(
                List.of(
                    first,
                    FollowedOperation.of(1, new Operation.Origin(2, 1, 99)),
                    FollowedOperation.of(2, new Operation.Origin(3, 1, 100)))))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> assertThat(refused.error().type()).isEqualTo("history_conflict_exception"));

    assertThat(first.endings()).isEmpty();
    assertThat(sequencer.nextSeqNo()).isEqualTo(2);
    assertThat(
            sequencer.follow(
                List.of(
                    FollowedOperation.of(1, new Operation.Origin(2, 1)),
                    FollowedOperation.of(2, new Operation.Origin(3, 1, 79)))))
        .as("an origin without a digest")
        .isEqualTo(1);
  }

  @Test
  void anOperationThatIsRepeatedWhileItIsInFlightIsUnknownWhenTheGateCloses() throws Exception {
    Sequencer sequencer = following(new ArrayDeque<>());
    sequencer.follow(List.of(FollowedOperation.of(0)));
    FollowedOperation repeated = FollowedOperation.of(0);
    sequencer.follow(List.of(repeated));

    sequencer.gateClosed();

    assertThat(repeated.endings()).containsExactly("unknown");
  }

  @Test
  void theLockIsReleasedIfAcceptedOperationsCouldNotBeSubmitted() throws Exception {
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
