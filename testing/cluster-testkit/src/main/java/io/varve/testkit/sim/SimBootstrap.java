package io.varve.testkit.sim;

import io.varve.ccr.BootstrapDecision.Choice;
import io.varve.ccr.BootstrapDecision.LeaderLog;
import io.varve.ccr.BootstrapSchedule;
import io.varve.ccr.BootstrapSchedule.Step;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Manifest;
import io.varve.events.RecordDigest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.BootstrapWire;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One step of the bootstrap of an empty primary, on its puller: performs the steps of production's
 * {@link BootstrapSchedule}, as production's {@code Bootstrap} does. A {@link RemoteLeader}
 * discloses no manifests, so its log is replayed.
 */
final class SimBootstrap {

  private static final long RECORD_BYTES = 100;

  private final World world;
  private final PullerActor puller;
  private final SimNode primary;
  private final PartitionLog log;
  private final @Nullable PartitionLog manifests;
  private final @Nullable PartitionLog replicated;
  private BootstrapSchedule schedule = new BootstrapSchedule(BootstrapWire.Status.BEGUN);
  private @Nullable Manifest newest;

  /**
   * @param primary the node of the follower's primary
   */
  SimBootstrap(PullerActor puller, SimNode primary) {
    this.world = puller.world;
    this.puller = puller;
    this.primary = primary;
    this.log = open(World.followedTopic(puller.leader));
    this.manifests = world.shape().followsARemote() ? null : open(World.manifests(puller.leader));
    this.replicated =
        world.indices().isFollowedStrongly(puller.leader)
            ? open(World.replicated(puller.leader))
            : null;
  }

  private PartitionLog open(String topic) {
    SimProcess process = puller.node.process();
    return world.open(topic, process, "begin-" + process);
  }

  /** Asks the primary for its status, and performs the steps that it needs now. */
  void start() {
    ask(
        (opened, reply) -> reply.accept(opened.beginning().status()),
        status -> {
          if (!puller.closed) {
            schedule = new BootstrapSchedule(status);
            perform(schedule.begin());
          }
        });
  }

  private void ask(
      BiConsumer<PrimaryActor, Consumer<BootstrapWire.Status>> request,
      Consumer<BootstrapWire.Status> answered) {
    world
        .network()
        .<BootstrapWire.Status>call(
            puller.node.process(),
            primary.process(),
            reply ->
                primary.primary(puller.follower).ifPresent(opened -> request.accept(opened, reply)),
            answered,
            () -> puller.failed("the primary did not answer"));
  }

  private void perform(Step first) {
    Step next = first;
    try {
      while (next != null) {
        if (puller.closed || puller.isKilledBefore(next.getClass().getSimpleName())) {
          return;
        }
        next = performed(next);
      }
    } catch (LogException e) {
      puller.failed(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the next step; null if an event has to come first, or at the end. */
  private @Nullable Step performed(Step step) throws LogException {
    switch (step) {
      case Step.ReadLeader _ -> {
        newest = newest();
        return schedule.read(newest, bounds());
      }
      case Step.TakeLease(long fromOffset) -> {
        return take(fromOffset);
      }
      case Step.ReadLog _ -> {
        return schedule.bounds(bounds());
      }
      case Step.Send(Choice choice) -> send(plan(choice));
      case Step.RenewLease(long fromOffset) ->
          puller.lease.renew(puller.bootstrapRenewals, fromOffset, _ -> puller.failed("it copies"));
      case Step.Fail(String reason) -> puller.failed(reason);
      case Step.Done _ -> puller.failed("it has begun");
    }
    return null;
  }

  private @Nullable Step take(long needed) {
    if (world.mutated(Mutation.BEGIN_WITHOUT_A_LEASE)) {
      return schedule.leased(true, "");
    }
    Manifest published = newest;
    long fromOffset =
        published != null && world.mutated(Mutation.TAKE_THE_LEASE_AT_THE_MANIFEST)
            ? Math.max(needed, published.nextOffset() - 1)
            : needed;
    SimLease lease = puller.lease;
    lease.take(
        fromOffset, () -> perform(schedule.leased(lease.isRetained(fromOffset), lease.refusal())));
    return null;
  }

  private @Nullable Manifest newest() throws LogException {
    return manifests == null
        ? null
        : new ManifestLog(manifests).before(manifests.endOffset(), true).published();
  }

  private LeaderLog bounds() throws LogException {
    return new LeaderLog(log.startOffset(), RECORD_BYTES);
  }

  private void send(BootstrapWire.Plan plan) {
    ask(
        (opened, reply) -> reply.accept(opened.beginning().plan(puller.assignment(), plan)),
        _ -> puller.failed("it has a plan"));
  }

  private BootstrapWire.Plan plan(Choice choice) throws LogException {
    return switch (choice) {
      case Choice.Replay _ -> BootstrapWire.Plan.REPLAY;
      case Choice.Copy(Manifest manifest) -> copy(manifest);
      case Choice.Impossible(String reason) -> throw new LogException.Unavailable(reason);
    };
  }

  private BootstrapWire.Plan copy(Manifest manifest) throws LogException {
    if (replicated != null && !world.mutated(Mutation.COPY_WHAT_IS_NOT_REPLICATED)) {
      long upTo = new ManifestLog(replicated).replicatedBefore(replicated.endOffset());
      if (upTo < manifest.nextSeqNo() - 1) {
        throw new LogException.Unavailable("the copies are known to hold " + upTo);
      }
    }
    puller.requireMapping(
        world
            .indices()
            .newest()
            .index(puller.leader.indexUuid())
            .map(IndexMetadata::mappingVersion)
            .orElse(0L));
    long[] digest = {RecordDigest.UNKNOWN};
    long last = manifest.nextOffset() - 1;
    if (last >= log.startOffset() && last < log.endOffset()) {
      log.read(last, last + 1, stored -> digest[0] = RecordDigest.of(stored));
    }
    return new BootstrapWire.Plan(manifest, null, manifest.nodeId(), digest[0]);
  }
}
