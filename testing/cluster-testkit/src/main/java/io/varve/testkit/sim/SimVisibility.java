package io.varve.testkit.sim;

import io.varve.client.CopyAddress;
import io.varve.client.consistency.InSyncWait;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Implements {@code refresh=wait_for} in the order of production's {@code Visibility}: production's
 * {@link InSyncWait} decides which copies are asked, and when the write is visible on all of them.
 * After the timeout the client gets no answer about visibility.
 */
final class SimVisibility {

  private static final long PATIENCE_MICROS = 1_000_000;
  private static final long LOOK_AGAIN_MICROS = 100_000;
  private static final long PAUSE_MICROS = 20_000;
  private static final long POLL_MICROS = 3_000;

  private static final ErrorBody UNREACHABLE =
      ErrorBody.of(503, "connect_transport_exception", "no answer");
  private static final ErrorBody NOT_STARTED =
      ErrorBody.of(503, "no_shard_available_action_exception", "not started");
  private static final ErrorBody LATE = ErrorBody.of(504, ReadDemand.TIMEOUT_TYPE, "late");

  private final World world;

  SimVisibility(World world) {
    this.world = world;
  }

  void after(Write write, SimCoordinator coordinator) {
    new Wait(write, coordinator).look();
  }

  private final class Wait {

    private final Write write;
    private final SimCoordinator coordinator;
    private final long deadlineMicros = world.queue().nowMicros() + PATIENCE_MICROS;
    private final InSyncWait wait = new InSyncWait();
    private final Map<String, SimCopy> showed = new HashMap<>();

    Wait(Write write, SimCoordinator coordinator) {
      this.write = write;
      this.coordinator = coordinator;
    }

    private List<CopyAddress> assigned(ClusterState state) {
      return state
          .shard(write.shard())
          .map(routing -> CopyAddress.assigned(state, routing))
          .orElse(List.of())
          .stream()
          .filter(
              copy -> copy.copy().primary() || !world.mutated(Mutation.WAIT_FOR_THE_PRIMARY_ALONE))
          .filter(copy ->
              copy.copy().started() || !world.mutated(Mutation.WAIT_FOR_STARTED_COPIES_ALONE))
          .toList();
    }

    void look() {
      boolean wasPublished = wait.isPublished();
      List<CopyAddress> open = wait.open(assigned(coordinator.state()));
      if (open.isEmpty()) {
        asked(wasPublished);
        return;
      }
      int[] left = {open.size()};
      for (CopyAddress copy : open) {
        ask(
            copy,
            problem -> {
              problem.ifPresentOrElse(
                  why -> wait.markNotVisible(copy, why), () -> wait.markVisible(copy));
              if (--left[0] == 0) {
                asked(wasPublished);
              }
            });
      }
    }

    private void asked(boolean wasPublished) {
      if (world.mutated(Mutation.WAIT_IN_AN_OLD_STATE)) {
        wait.markCurrent();
      }
      if (wait.needsCurrentState()) {
        coordinator.awaitCurrentState(
            () -> {
              wait.markCurrent();
              looked(wasPublished);
            },
            () -> looked(wasPublished));
      } else {
        looked(wasPublished);
      }
    }

    private void looked(boolean wasPublished) {
      ClusterState state = coordinator.state();
      if (wait.isDone(assigned(state))) {
        world.observe(new Observation.WaitedFor(write, started(state)));
        world.clients().reportedVisible(write, state);
      } else if (world.queue().nowMicros() < deadlineMicros) {
        if (wasPublished || !wait.isPublished()) {
          coordinator.process().after(PAUSE_MICROS, this::look);
        } else {
          look();
        }
      }
    }

    private void ask(CopyAddress copy, Consumer<Optional<ErrorBody>> then) {
      SimNode node = world.node(copy.node().nodeId());
      long untilMicros = world.queue().nowMicros() + LOOK_AGAIN_MICROS;
      world
          .network()
          .<Optional<ErrorBody>>call(
              coordinator.process(),
              node.process(),
              reply -> poll(node, copy, untilMicros, reply),
              then,
              () -> then.accept(Optional.of(UNREACHABLE)));
    }

    private void poll(
        SimNode node, CopyAddress asked, long untilMicros, Consumer<Optional<ErrorBody>> reply) {
      SimCopy copy = node.copy(asked.copy().copyId());
      if (copy == null || !(asked.copy().started() || copy.provesItsStart())) {
        reply.accept(Optional.of(NOT_STARTED));
      } else if (copy.reportedSeqNo() >= write.seqNo) {
        showed.put(copy.copyId(), copy);
        reply.accept(Optional.empty());
      } else if (world.queue().nowMicros() > untilMicros) {
        reply.accept(Optional.of(LATE));
      } else {
        node.process().after(POLL_MICROS, () -> poll(node, asked, untilMicros, reply));
      }
    }

    /** The started copies that were asked, or that exist now. */
    private List<SimCopy> started(ClusterState state) {
      List<SimCopy> started = new ArrayList<>();
      state
          .shard(write.shard())
          .map(routing -> CopyAddress.writing(state, routing))
          .orElse(List.of())
          .forEach(copy -> {
            String copyId = copy.copy().copyId();
            SimCopy there = showed.get(copyId);
            SimCopy found = there == null ? world.node(copy.node().nodeId()).copy(copyId) : there;
            if (found != null) {
              started.add(found);
            }
          });
      return started;
    }
  }
}
