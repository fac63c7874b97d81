package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.Operation;
import io.varve.events.SessionToken;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Clients that read their own writes under the token of their session, from any copy that some
 * coordinator considers started. These include fenced primaries and copies about to be promoted. A
 * copy that does not show the token's writes waits for them, and gives no answer if they do not
 * arrive in time. Copies that are opened before they are copied are also read; they show what all
 * other copies show, or give no answer.
 */
final class Readers {

  private static final int SESSIONS = 3;
  private static final long WAIT_MICROS = 400_000;
  private static final long LOOK_MICROS = 2_000;

  /** The state of a client: the text of its token, and its own acked writes. */
  private static final class Session {
    private String token = "";
    private final Map<String, Write> newestById = new HashMap<>();

    void wrote(Write write) {
      token = SessionToken.parse(token).plus(write.shard(), write.seqNo).text();
      newestById.merge(
          write.item().id(),
          write,
          (known, newer) ->
              known.shard().equals(newer.shard()) && known.seqNo > newer.seqNo ? known : newer);
    }

    /** The session's newest write of each document of the shard. */
    Map<String, Write> newestOf(ShardId shard) {
      Map<String, Write> found = new HashMap<>(newestById);
      found.values().removeIf(write -> !write.shard().equals(shard));
      return found;
    }
  }

  private final World world;
  private final List<Session> sessions = new ArrayList<>();
  private final Map<ShardId, Long> toldSeqNos = new HashMap<>();

  Readers(World world) {
    this.world = world;
    for (int i = 0; i < SESSIONS; i++) {
      sessions.add(new Session());
    }
  }

  /** A session's write was acked: its client reads now and again later. */
  void acked(Write write, SimCoordinator coordinator) {
    Session session = sessions.get(world.random().nextInt(SESSIONS));
    session.wrote(write);
    read(session, coordinator);
    coordinator.process().after(world.random().nextInt(300_000), () -> read(session, coordinator));
  }

  /** It was reported to the client that the write is visible everywhere. */
  void reportedVisible(Write write) {
    toldSeqNos.merge(write.shard(), write.seqNo, Math::max);
  }

  long reportedSeqNo(ShardId shard) {
    return toldSeqNos.getOrDefault(shard, -1L);
  }

  private void read(Session session, SimCoordinator coordinator) {
    ShardId leader = world.leaderShard();
    Optional<ShardRouting> shard = coordinator.state().shard(leader);
    List<CopyRouting> readable =
        shard
            .map(routing ->
                routing.copies().stream()
                    .filter(copy -> copy.nodeId() != null)
                    .filter(copy -> copy.started() || opened(copy).isPresent())
                    .toList())
            .orElse(List.of());
    if (readable.isEmpty()) {
      return;
    }
    CopyRouting chosen = readable.get(world.random().nextInt(readable.size()));
    SimNode node = world.node(String.valueOf(chosen.nodeId()));
    String token = session.token;
    Map<String, Write> wrote = session.newestOf(leader);
    world
        .network()
        .<Map<String, Operation>>call(
            coordinator.process(),
            node.process(),
            reply ->
                opened(chosen)
                    .ifPresentOrElse(
                        copy -> readOpened(node, copy, reportedSeqNo(leader)),
                        () ->
                            answer(
                                node,
                                chosen.copyId(),
                                SessionToken.parse(token).seqNo(leader),
                                world.queue().nowMicros() + WAIT_MICROS,
                                copy -> {
                                  world.observe(
                                      new Observation.ReadUnderToken(copy, copy.visible(), wrote));
                                  reply.accept(copy.visible());
                                })),
            found -> {},
            () -> {});
  }

  private Optional<SegmentReplicaActor> opened(CopyRouting copy) {
    return world
        .node(String.valueOf(copy.nodeId()))
        .replica(copy.copyId())
        .filter(SegmentReplicaActor::isOpened);
  }

  private void readOpened(SimNode node, SegmentReplicaActor copy, long reportedSeqNo) {
    long end;
    try {
      end = copy.manifestsEnd();
    } catch (LogException.Unavailable e) {
      return;
    }
    readOpened(node, copy, reportedSeqNo, end, world.queue().nowMicros() + WAIT_MICROS);
  }

  private void readOpened(
      SimNode node, SegmentReplicaActor copy, long reportedSeqNo, long end, long deadlineMicros) {
    if (!copy.alive() || world.queue().nowMicros() > deadlineMicros) {
      return;
    }
    if (copy.shows(end) || world.mutated(Mutation.READ_AN_OPENED_COPY_AS_IT_IS)) {
      world.observe(new Observation.ReadOfOpened(copy, reportedSeqNo));
    } else {
      node.process()
          .after(LOOK_MICROS, () -> readOpened(node, copy, reportedSeqNo, end, deadlineMicros));
    }
  }

  private interface Answer {
    void of(SimCopy copy);
  }

  private void answer(SimNode node, String copyId, long seqNo, long deadlineMicros, Answer answer) {
    SimCopy copy = node.copy(copyId);
    if (copy == null || world.queue().nowMicros() > deadlineMicros) {
      return;
    }
    boolean showsEnough = copy.answersReads() && copy.visibleSeqNo() >= seqNo;
    if (showsEnough || world.mutated(Mutation.READ_WITHOUT_ITS_TOKEN)) {
      answer.of(copy);
    } else {
      node.process().after(LOOK_MICROS, () -> answer(node, copyId, seqNo, deadlineMicros, answer));
    }
  }
}
