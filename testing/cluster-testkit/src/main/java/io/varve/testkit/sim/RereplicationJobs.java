package io.varve.testkit.sim;

import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationProgress;
import io.varve.rpc.RereplicationWork;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator that runs re-replication jobs on a strongly consistent index, one after the other, to
 * prove its records, or to write them. A job runs on a coordinator, as production's {@code
 * ShardWalk} does, and is sometimes cancelled, or lost with its coordinator. The next job continues
 * at the last position that the operator received, which is production's token. After a job is
 * done, the next one starts from the beginning, as it does on an index that was created again.
 */
final class RereplicationJobs {

  private static final long PAUSE_MICROS = 30_000;

  /** A job needs this time, so that some jobs are cancelled before they end. */
  private static final int MOST_STEP_PAUSE_MICROS = 150_000;

  private static final int MOST_CALM_PAUSE_MICROS = 5_000;

  /** Longer than the primary waits for copies. */
  private static final long TIMEOUT_MICROS = 600_000;

  private final World world;
  private final RereplicationWork work;
  private int begun;
  private int cancelled;
  private int continued;
  private int done;
  private int failed;
  private long written;
  private boolean isCalm;
  private boolean isHeld;
  private ShardId shard;
  private RereplicationProgress progress = RereplicationProgress.from(RereplicationPosition.START);

  /**
   * Whether no question has failed since the walk began, if it only proves, under its present
   * primary.
   */
  private boolean allProven = true;

  private @Nullable Job job;

  /**
   * @param operations of the jobs on each record
   */
  RereplicationJobs(World world, RecordOperations operations) {
    this.world = world;
    this.work = new RereplicationWork(null, 0, operations, true, false);
    this.shard = world.leaderShard();
    if (operations.writes()) {
      world.clients().jobsWrite();
    }
  }

  /** Runs jobs from now on. */
  void begin() {
    look();
  }

  /** No further job is cancelled. */
  void calm() {
    isCalm = true;
  }

  /** Ends the job that runs, and begins no other one before {@link #resume}. */
  void hold() {
    isHeld = true;
    Job running = job;
    if (running != null) {
      running.cancel();
      job = null;
    }
  }

  void resume() {
    isHeld = false;
  }

  int cancelled() {
    return cancelled;
  }

  /** Jobs that continued where another one had stopped. */
  int continued() {
    return continued;
  }

  int done() {
    return done;
  }

  /** Jobs that ended with an error of a record. */
  int failed() {
    return failed;
  }

  /** Records that jobs were told they have written. */
  long written() {
    return written;
  }

  private void look() {
    if (!world.leaderShard().equals(shard)) {
      beginAgainOn(world.leaderShard());
    }
    Job running = job;
    if (running == null || running.isLost()) {
      job = isHeld ? null : next();
    } else if (!isCalm && world.random().nextInt(4) == 0) {
      running.cancel();
      running.passUnanswered();
      cancelled++;
      job = null;
    }
    world.queue().after(PAUSE_MICROS + world.random().nextInt(3 * (int) PAUSE_MICROS), this::look);
  }

  private void beginAgainOn(ShardId created) {
    Job running = job;
    if (running != null) {
      running.cancel();
      job = null;
    }
    shard = created;
    progress = RereplicationProgress.from(RereplicationPosition.START);
  }

  private @Nullable Job next() {
    SimCoordinator coordinator =
        world.coordinators().get(world.random().nextInt(world.coordinators().size()));
    if (!coordinator.process().isUp()) {
      return null;
    }
    RereplicationPosition from = progress.at();
    continued += from.equals(RereplicationPosition.START) ? 0 : 1;
    progress = RereplicationProgress.from(from);
    Job next = new Job("job-" + ++begun, coordinator);
    next.step();
    return next;
  }

  /** The primary that answered, and its answer. */
  private record Answer(PrimaryActor primary, RereplicationPage page) {}

  /** One job in one run of a coordinator's process. */
  private final class Job {

    private final String id;
    private final ShardId shard = RereplicationJobs.this.shard;
    private final SimCoordinator coordinator;
    private final long incarnation;
    private boolean ended;
    private boolean isAsking;

    Job(String id, SimCoordinator coordinator) {
      this.id = id;
      this.coordinator = coordinator;
      this.incarnation = coordinator.process().incarnation();
    }

    boolean isLost() {
      return ended || coordinator.process().incarnation() != incarnation;
    }

    /** Its claim of the shard expires if the primary receives no step of it. */
    void cancel() {
      ended = true;
      primaryNode()
          .ifPresent(node ->
              world
                  .network()
                  .send(coordinator.process(), node.process(), () -> node.jobs(shard).release(id)));
    }

    private Optional<SimNode> primaryNode() {
      return coordinator
          .state()
          .shard(shard)
          .map(ShardRouting::primary)
          .map(primary -> primary.nodeId())
          .map(world::node);
    }

    void step() {
      if (ended) {
        return;
      }
      Optional<SimNode> node = primaryNode();
      if (node.isEmpty()) {
        later();
        return;
      }
      RereplicationPosition at = progress.at();
      isAsking = true;
      world
          .network()
          .<Answer>call(
              coordinator.process(),
              node.get().process(),
              reply ->
                  node.get()
                      .primary(shard)
                      .ifPresent(primary ->
                          primary.rereplicate(
                              new SimJobSteps.Job(id, work),
                              at,
                              page -> reply.accept(new Answer(primary, page)))),
              this::answered,
              this::unanswered,
              TIMEOUT_MICROS);
    }

    private void answered(Answer answer) {
      if (ended) {
        return;
      }
      isAsking = false;
      RereplicationPosition next = answer.page().next();
      boolean writes = work.operations().writes();
      boolean again =
          writes
              ? progress.at().equals(RereplicationPosition.START)
              : !progress.at().saidBy(next.term(), next.incarnation());
      RereplicationPage.Proofs proofs = answer.page().outcomes().proofs();
      boolean proven = proofs.error() + proofs.timeout() + proofs.newer() == 0;
      allProven = (again || allProven) && proven;
      progress = progress.after(answer.page(), writes);
      written += answer.page().outcomes().writes().updated();
      if (allProven) {
        world.observe(
            writes
                ? new Observation.JobWroteUpTo(shard, next.nextSeqNo())
                : new Observation.JobPassed(answer.primary(), next));
      }
      if (answer.page().failure() != null) {
        world.note(id + " ends: " + answer.page().failure());
        failed++;
        cancel();
      } else if (progress.done()) {
        done++;
        cancel();
        progress = RereplicationProgress.from(RereplicationPosition.START);
      } else {
        later();
      }
    }

    private void unanswered() {
      if (ended) {
        return;
      }
      passUnanswered();
      isAsking = false;
      later();
    }

    /** In mutated histories, the next step begins after the one that was not answered. */
    private void passUnanswered() {
      if (isAsking
          && (world.mutated(Mutation.CONTINUE_A_JOB_BEHIND_AN_UNANSWERED_STEP)
              || world.mutated(Mutation.WRITE_BEHIND_AN_UNANSWERED_STEP))) {
        RereplicationPosition at = progress.at();
        progress =
            RereplicationProgress.from(
                new RereplicationPosition(
                    at.term(),
                    at.incarnation(),
                    at.nextSeqNo() + SimJobSteps.WINDOW,
                    at.endSeqNo()));
      }
    }

    private void later() {
      coordinator
          .process()
          .after(
              1 + world.random().nextInt(isCalm ? MOST_CALM_PAUSE_MICROS : MOST_STEP_PAUSE_MICROS),
              this::step);
    }
  }
}
