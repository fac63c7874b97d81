package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.host.apply.Origins;
import io.varve.rpc.ApiException;
import io.varve.shard.primary.Batch;
import io.varve.shard.primary.Sequencer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes of operations of another cluster's leader index, in the order of production's {@code
 * FollowedWrites}. Operations keep their seq_no; production's {@link Sequencer} drops duplicates
 * and rejects gaps.
 */
final class SimFollowedWrites {

  private record Numbered(Operation operation, Batch.Ending ending) implements Sequencer.Followed {}

  /** The position from which a follower continues to pull. */
  record Cursor(Operation.@Nullable Origin origin, long nextSeqNo) {}

  private final PrimaryActor primary;
  private final SimWrites writes;
  private final Origins origins = new Origins();

  SimFollowedWrites(PrimaryActor primary, SimWrites writes) {
    this.primary = primary;
    this.writes = writes;
  }

  /** Sets the newest origin at the start. */
  void restore(long nextSeqNo, Operation.@Nullable Origin origin) {
    if (origin != null) {
      origins.put(nextSeqNo - 1, origin);
    }
  }

  /** Empty while no writes are accepted. */
  Optional<Cursor> cursor() {
    return Optional.ofNullable(writes.sequencer()).map(this::cursor);
  }

  private Cursor cursor(Sequencer now) {
    Origins.Held last = origins.newest(now.accepted().current());
    return last == null ? new Cursor(null, 0) : new Cursor(last.origin(), last.seqNo() + 1);
  }

  /**
   * Appends operations of the leader, in order.
   *
   * @param reply called when all are applied, with the offset of the leader's first operation that
   *     was not accepted; empty if the cursor must be read again
   */
  void replicate(List<Operation> batch, Consumer<Optional<Long>> reply) {
    map(batch, new ArrayList<>(), own -> follow(own, reply), () -> reply.accept(Optional.empty()));
  }

  private void map(
      List<Operation> batch,
      List<Operation> own,
      Consumer<List<Operation>> mapped,
      Runnable unmapped) {
    if (own.size() == batch.size()) {
      mapped.accept(own);
      return;
    }
    Operation theirs = batch.get(own.size());
    writes.map(
        theirs,
        version -> {
          if (version < 0) {
            unmapped.run();
          } else {
            own.add(numbered(theirs, theirs.seqNo(), version));
            map(batch, own, mapped, unmapped);
          }
        });
  }

  private Operation numbered(Operation theirs, long seqNo, long mappingVersion) {
    return new Operation(
        primary.term(),
        seqNo,
        theirs.version(),
        mappingVersion,
        theirs.id(),
        theirs.routing(),
        theirs.source(),
        theirs.origin());
  }

  private void follow(List<Operation> own, Consumer<Optional<Long>> reply) {
    Sequencer now = writes.sequencer();
    if (now == null) {
      reply.accept(Optional.empty());
      return;
    }
    Answer answer = new Answer(own.size(), now, reply);
    List<Numbered> numbered = new ArrayList<>();
    long next = now.nextSeqNo();
    for (Operation operation : own) {
      boolean again =
          operation.seqNo() < next && primary.world.mutated(Mutation.FOLLOWER_TAKES_DUPLICATES);
      Operation taken = again ? numbered(operation, next, operation.mappingVersion()) : operation;
      next = Math.max(next, taken.seqNo() + 1);
      numbered.add(new Numbered(taken, answer.ending(taken)));
    }
    try {
      var _ = now.follow(numbered);
    } catch (ApiException e) {
      answer.fail();
    }
  }

  /** Collects the outcomes of one call. */
  private final class Answer {
    private final Sequencer sequencer;
    private final Consumer<Optional<Long>> reply;
    private int open;
    private boolean failed;

    Answer(int open, Sequencer sequencer, Consumer<Optional<Long>> reply) {
      this.open = open;
      this.sequencer = sequencer;
      this.reply = reply;
    }

    Batch.Ending ending(Operation operation) {
      return new Batch.Ending() {
        @Override
        public void applied() {
          origins.applied(operation);
          if (--open == 0 && !failed) {
            Operation.Origin last = cursor(sequencer).origin();
            reply.accept(Optional.of(last == null ? 0 : last.offset() + 1));
          }
        }

        @Override
        public void unknown(String reason) {
          fail();
        }

        @Override
        public void rejected(String reason) {
          fail();
        }
      };
    }

    void fail() {
      if (!failed) {
        failed = true;
        reply.accept(Optional.empty());
      }
    }
  }
}
