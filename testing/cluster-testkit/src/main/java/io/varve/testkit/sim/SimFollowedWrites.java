package io.varve.testkit.sim;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.Parsed;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.apply.Origins;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import io.varve.shard.primary.Batch;
import io.varve.shard.primary.PullerAdmission;
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

  private final PrimaryActor primary;
  private final SimWrites writes;

  SimFollowedWrites(PrimaryActor primary, SimWrites writes) {
    this.primary = primary;
    this.writes = writes;
  }

  /** Sets the newest origin at the start. */
  void restore(long nextSeqNo, Operation.@Nullable Origin origin) {
    if (origin != null) {
      primary.origins.put(nextSeqNo - 1, origin);
      writes.restoreOrigin(origin);
    }
  }

  /** Empty while no writes are accepted. */
  Optional<ReplicateWire.Cursor> cursor() {
    return Optional.ofNullable(writes.sequencer()).map(this::cursor);
  }

  private ReplicateWire.Cursor cursor(Sequencer now) {
    Origins.Held last = primary.origins.newest(now.accepted().current());
    long seqNo = primary.checkpoint().lastSeqNo();
    return last == null
        ? new ReplicateWire.Cursor(-1, 0, 0, seqNo, seqNo, 0, null)
        : new ReplicateWire.Cursor(
            last.origin().offset(),
            last.origin().term(),
            last.seqNo() + 1,
            seqNo,
            seqNo,
            0,
            last.origin().hasDigest() ? last.origin().digest() : null);
  }

  /**
   * Appends operations of the leader, in order.
   *
   * @param assignment of the puller; operations of an assignment older than the newest known one
   *     are refused
   * @param reply called when all operations are applied; with an empty value if the cursor must be
   *     requested again
   */
  void replicate(
      long assignment, List<Operation> batch, Consumer<Optional<ReplicateWire.Answer>> reply) {
    if (!admits(assignment)) {
      reply.accept(Optional.empty());
      return;
    }
    map(batch, new ArrayList<>(), own -> follow(own, reply), () -> reply.accept(Optional.empty()));
  }

  /** Whether this node accepts operations and plans from pullers of that assignment. */
  boolean admits(long assignment) {
    IndexMetadata index = primary.node.state().index(primary.shard.indexUuid()).orElse(null);
    if (index == null) {
      return false;
    }
    try {
      PullerAdmission.refuseStrangers(index, assignment);
      return true;
    } catch (ApiException e) {
      return false;
    }
  }

  /** Whether the index is no longer a follower, in the view of this node. */
  boolean isPromoted() {
    return primary
        .node
        .state()
        .index(primary.shard.indexUuid())
        .filter(index -> index.follow() == null)
        .isPresent();
  }

  /** The fork of the shard if it is promoted. */
  ForkPlace forkAt(long acceptedSeqNo, long fenceOffset) {
    return primary.origins.forkAt(acceptedSeqNo, fenceOffset, primary.term());
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
    long version = mappingVersion(theirs);
    if (version < 0) {
      unmapped.run();
    } else {
      own.add(numbered(theirs, theirs.seqNo(), version));
      map(batch, own, mapped, unmapped);
    }
  }

  /**
   * The version of this cluster's mapping that has all fields of the operation; -1 if the follower
   * has not taken the version of the leader's mapping that it needs.
   */
  private long mappingVersion(Operation theirs) {
    byte[] source = theirs.source();
    if (source == null) {
      return primary.mapping.version();
    }
    boolean careless = primary.world.mutated(Mutation.FOLLOW_WITHOUT_THE_LEADERS_MAPPING);
    if (leaderMappingVersion(primary.node, primary.shard) < theirs.mappingVersion() && !careless) {
      return -1;
    }
    return switch (primary.engine.parse(WriteItem.index(theirs.id(), source))) {
      case Parsed.Document document -> document.mappingVersion();
      case Parsed.NeedsMapping _ when careless -> primary.mapping.version();
      case Parsed.NeedsMapping _, Parsed.Invalid _, Parsed.Later _ ->
          throw new IllegalStateException("the leader's mapping does not fit " + theirs);
    };
  }

  /** The version of its leader's mapping that the follower has, in the view of that node. */
  static long leaderMappingVersion(SimNode node, ShardId follower) {
    return node.state()
        .index(follower.indexUuid())
        .map(IndexMetadata::follow)
        .map(follow -> follow.currentStatus().leaderMappingVersion())
        .orElse(0L);
  }

  /**
   * As production's {@code LeaderConnections}, without waiting.
   *
   * @throws LogException.Unavailable the follower has not taken that version of the mapping
   */
  static void requireMapping(SimNode node, ShardId follower, long leaderVersion, boolean careless)
      throws LogException.Unavailable {
    if (leaderMappingVersion(node, follower) < leaderVersion && !careless) {
      throw new LogException.Unavailable(
          "operations wait for version " + leaderVersion + " of the leader's mapping");
    }
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

  private void follow(List<Operation> own, Consumer<Optional<ReplicateWire.Answer>> reply) {
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
      answer.count = now.follow(numbered);
    } catch (ApiException e) {
      answer.fail();
    }
  }

  /** Collects the outcomes of one call. */
  private final class Answer {
    private final Sequencer sequencer;
    private final Consumer<Optional<ReplicateWire.Answer>> reply;
    private int open;
    private int count;
    private boolean failed;

    Answer(int open, Sequencer sequencer, Consumer<Optional<ReplicateWire.Answer>> reply) {
      this.open = open;
      this.sequencer = sequencer;
      this.reply = reply;
    }

    Batch.Ending ending(Operation operation) {
      return new Batch.Ending() {
        @Override
        public void indexed() {
          primary.origins.applied(operation);
        }

        @Override
        public void applied() {
          if (--open == 0 && !failed) {
            reply.accept(Optional.of(held()));
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

    private ReplicateWire.Answer held() {
      long seqNo = sequencer.accepted().current();
      Operation.Origin last = primary.origins.upTo(seqNo);
      return new ReplicateWire.Answer(
          last == null ? -1 : last.offset(), last == null ? 0 : last.term(), seqNo, count);
    }

    void fail() {
      if (!failed) {
        failed = true;
        reply.accept(Optional.empty());
      }
    }
  }
}
