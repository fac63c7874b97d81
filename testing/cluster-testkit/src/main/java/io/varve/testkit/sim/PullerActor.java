package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pulls the leader's operations, from the end of the follower's data on, and sends them in order to
 * the follower's primary. After any failure it reads the cursor again.
 */
final class PullerActor {

  private static final int BATCH = 12;
  private static final Set<Mutation> CARELESS =
      Set.of(Mutation.ACCEPT_STALE_TERMS, Mutation.SKIP_DENSITY);

  private final World world;
  private final SimNode node;
  private final ShardId leader;
  private final ShardId follower;
  private final long assignment;
  private final Deque<Operation> pulled = new ArrayDeque<>();
  private @Nullable Runnable stop;
  private boolean closed;
  private boolean sending;
  private long attempt;

  PullerActor(World world, SimNode node, ShardId leader, ShardId follower, long assignment) {
    this.world = world;
    this.node = node;
    this.leader = leader;
    this.follower = follower;
    this.assignment = assignment;
  }

  long assignment() {
    return assignment;
  }

  void start() {
    stopPulling();
    long mine = attempt;
    PrimaryCall call = target();
    if (call == null) {
      again();
      return;
    }
    world
        .network()
        .<Optional<SimFollowedWrites.Cursor>>call(
            node.process(),
            call.node.process(),
            reply ->
                reply.accept(
                    call.node.primary(follower).flatMap(primary -> primary.followed().cursor())),
            cursor -> {
              if (mine == attempt) {
                cursor.ifPresentOrElse(this::pull, this::again);
              }
            },
            () -> {
              if (mine == attempt) {
                again();
              }
            });
  }

  private record PrimaryCall(SimNode node) {}

  private @Nullable PrimaryCall target() {
    return node.state()
        .shard(follower)
        .map(shard -> shard.primary().nodeId())
        .map(nodeId -> new PrimaryCall(world.node(nodeId)))
        .orElse(null);
  }

  private void again() {
    after(60_000, this::start);
  }

  private void pull(SimFollowedWrites.Cursor cursor) {
    if (closed) {
      return;
    }
    Operation.Origin origin = cursor.origin();
    Checkpoint from =
        origin == null
            ? Checkpoint.START
            : new Checkpoint(origin.offset() + 1, cursor.nextSeqNo(), origin.term());
    lease(from.nextOffset());
    TermFence fence = new TermFence(from.fenceTerm(), from.nextSeqNo());
    PartitionLog log = world.open(World.ops(leader), node.process(), "pull-" + node.process());
    long mine = attempt;
    FencedTail.Listener listener =
        new FencedTail.Listener() {
          @Override
          public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
            if (mine == attempt) {
              batch.forEach(PullerActor.this::pulled);
              send();
            }
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            again();
          }
        };
    stop =
        world.mutated(Mutation.PULLER_IGNORES_THE_FENCE)
            ? CarelessReader.follow(log, from.nextOffset(), fence, CARELESS, listener)::close
            : FencedTail.follow(log, from.nextOffset(), fence, listener)::close;
  }

  /**
   * Renews the lease.
   *
   * @param fromOffset of the first operation that the follower may request again
   */
  private void lease(long fromOffset) {
    if (world.network().connected(node.nodeId(), Network.LOG)) {
      world.lease(leader, fromOffset);
    }
  }

  private void pulled(StoredRecord stored) {
    Operation theirs = OperationCodec.decode(stored.record());
    pulled.add(
        new Operation(
            theirs.term(),
            theirs.seqNo(),
            theirs.version(),
            theirs.mappingVersion(),
            theirs.id(),
            theirs.routing(),
            theirs.source(),
            new Operation.Origin(stored.offset(), theirs.term())));
  }

  private void send() {
    PrimaryCall call = target();
    if (closed || sending || pulled.isEmpty()) {
      return;
    }
    if (call == null) {
      again();
      return;
    }
    sending = true;
    List<Operation> batch = new ArrayList<>();
    while (batch.size() < BATCH && !pulled.isEmpty()) {
      batch.add(pulled.removeFirst());
    }
    long sent = attempt;
    ship(call, batch, sent);
    if (world.faults().deliversTwice()) {
      long late = world.random().nextInt(200_000);
      after(late, () -> ship(call, batch, -1));
    }
  }

  private void ship(PrimaryCall call, List<Operation> batch, long sent) {
    world
        .network()
        .<Optional<Long>>call(
            node.process(),
            call.node.process(),
            reply ->
                call.node
                    .primary(follower)
                    .ifPresent(primary -> primary.followed().replicate(batch, reply)),
            needed -> shipped(needed, sent),
            () -> shipped(Optional.empty(), sent));
  }

  /**
   * Called with the primary's answer.
   *
   * @param needed offset of the first operation that may be requested again; empty after a failure
   */
  private void shipped(Optional<Long> needed, long sent) {
    if (closed || sent != attempt) {
      return;
    }
    sending = false;
    if (needed.isPresent()) {
      lease(needed.get());
      send();
    } else {
      stopPulling();
      again();
    }
  }

  private void stopPulling() {
    pulled.clear();
    sending = false;
    attempt++;
    Runnable running = stop;
    if (running != null) {
      running.run();
      stop = null;
    }
  }

  private void after(long micros, Runnable task) {
    node.process()
        .after(
            micros,
            () -> {
              if (!closed) {
                task.run();
              }
            });
  }

  void close() {
    closed = true;
    stopPulling();
  }
}
