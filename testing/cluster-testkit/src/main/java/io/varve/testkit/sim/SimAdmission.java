package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.host.AdmissionNeed;
import io.varve.shard.replicated.Member;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Asks the primary to admit a replica of a strongly consistent index, as production's {@code
 * Admission} does, and waits until the replica holds the required operations.
 */
final class SimAdmission {

  private static final long WAIT_MICROS = 500_000;

  /** Receives the term of the primary that admitted the copy; null if none was needed. */
  @FunctionalInterface
  interface Start {
    void mayStart(@Nullable Long admittedIn);
  }

  private record Admitted(long term, long seqNo) {}

  private final World world;
  private final SimNode node;

  SimAdmission(World world, SimNode node) {
    this.world = world;
    this.node = node;
  }

  /** Calls {@code start} once the copy may start, or never. */
  void of(SimCopy copy, Start start) {
    ClusterState state = node.state();
    ShardId shard = copy.shard();
    boolean strong =
        state
            .index(shard.indexUuid())
            .map(IndexMetadata::settings)
            .filter(IndexSettings::isStrong)
            .isPresent();
    if (!strong || copy instanceof PrimaryActor) {
      start.mayStart(null);
      return;
    }
    if (world.mutated(Mutation.START_WITHOUT_AN_ADMISSION)) {
      start.mayStart(state.shard(shard).map(ShardRouting::primaryTerm).orElse(null));
      return;
    }
    switch (AdmissionNeed.of(state, shard, copy.copyId())) {
      case AdmissionNeed.None _ -> start.mayStart(null);
      case AdmissionNeed.Unreachable _ -> world.note(copy + " finds no primary to admit it");
      case AdmissionNeed.Of(var primary) -> ask(copy, world.node(primary.nodeId()), start);
    }
  }

  private void ask(SimCopy copy, SimNode primary, Start start) {
    Member member = new Member(copy.copyId(), node.process().toString());
    world
        .network()
        .<Admitted>call(
            node.process(),
            primary.process(),
            reply ->
                primary
                    .primary(copy.shard())
                    .ifPresent(actor ->
                        actor
                            .admit(member)
                            .ifPresent(seqNo -> reply.accept(new Admitted(actor.term(), seqNo)))),
            admitted -> startWhenHeld(copy, admitted, start),
            () -> {});
  }

  private void startWhenHeld(SimCopy copy, Admitted admitted, Start start) {
    CompletableFuture<Boolean> held = copy.held().reached(admitted.seqNo());
    var _ =
        held.thenAccept(holds -> {
          if (holds && copy.alive()) {
            start.mayStart(admitted.term());
          }
        });
    node.process().after(WAIT_MICROS, () -> copy.held().forget(held));
  }
}
