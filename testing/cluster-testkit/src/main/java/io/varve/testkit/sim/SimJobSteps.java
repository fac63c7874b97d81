package io.varve.testkit.sim;

import io.varve.engine.DocumentsBySeqNo;
import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy.LiveVersion;
import io.varve.engine.version.DocumentState;
import io.varve.events.Operation;
import io.varve.rpc.ApiException;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.shard.replicated.RecordWalk;
import io.varve.shard.replicated.ReplicationTracker;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The steps of re-replication jobs on one primary, as production's {@code RereplicationSteps} takes
 * them: production's {@link RecordWalk} finds the records and asks for them, and {@link
 * RereplicationPosition} decides where a job continues.
 */
final class SimJobSteps {

  /** A small number, so that a job needs many steps for the operations of a history. */
  static final int WINDOW = 2;

  /**
   * The factor by which the clock of claims is faster, so that a lost claim expires within a
   * history.
   */
  private static final int SPEED = 75;

  private static final RecordWalk.Selection UNREPLICATED =
      new RecordWalk.Selection(false, Matching.ALL);

  private final World world;
  private final PrimaryActor primary;
  private final RecordWalk walk;

  SimJobSteps(PrimaryActor primary, ReplicationTracker tracker) {
    this.world = primary.world;
    this.primary = primary;
    this.walk = new RecordWalk(new Documents(), primary.held(), this::show, tracker, WINDOW);
  }

  /** The state of the primary that is visible to searches. */
  private final class Documents implements DocumentsBySeqNo {

    @Override
    public @Nullable DocumentState state(String id) {
      return primary.engine.applied(id);
    }

    @Override
    public long count(LongPredicate ofSeqNo, Matching matching) {
      return between(0, Long.MAX_VALUE, ofSeqNo, matching).size();
    }

    @Override
    public List<LiveVersion> between(
        long fromSeqNo, long toSeqNo, LongPredicate ofSeqNo, Matching matching) {
      return primary.visible().values().stream()
          .filter(shown -> !shown.isDelete())
          .filter(shown -> shown.seqNo() >= fromSeqNo && shown.seqNo() < toSeqNo)
          .filter(shown -> ofSeqNo.test(shown.seqNo()))
          .sorted(Comparator.comparingLong(Operation::seqNo))
          .map(shown -> new LiveVersion(shown.id(), shown.seqNo(), shown.term()))
          .toList();
    }
  }

  private void show(long seqNo) {
    if (primary.visibleSeqNo() < seqNo) {
      primary.refresh(() -> {});
    }
  }

  /** Answers once the copies have; no answer stands for any error. */
  void step(String job, RereplicationPosition at, Consumer<RereplicationPage> reply) {
    String incarnation = primary.node.process().toString();
    if (!primary.node.jobs(primary.shard).claim(job, world.queue().nowMillis() * SPEED)) {
      return;
    }
    RereplicationPosition from =
        world.mutated(Mutation.CONTINUE_A_JOB_UNDER_ANOTHER_PRIMARY)
            ? at
            : at.under(primary.term(), incarnation, false);
    RecordWalk.Window window = walk.next(from.nextSeqNo(), from.endSeqNo(), UNREPLICATED);
    RecordWalk.Page page;
    try {
      page = walk.ask(window);
    } catch (ApiException e) {
      world.note(primary + " refuses a step of " + job + ": " + e.getMessage());
      return;
    }
    var _ =
        page.ended()
            .thenRun(() -> {
              if (primary.alive()) {
                reply.accept(answer(window, page.peeked(), incarnation));
              }
            });
  }

  private RereplicationPage answer(
      RecordWalk.Window window, RecordWalk.Peeked peeked, String incarnation) {
    return new RereplicationPage(
        new RereplicationPosition(
            primary.term(), incarnation, peeked.nextSeqNo(), window.endSeqNo()),
        -1,
        0,
        new RereplicationPage.Outcomes(
            window.versions().size(), peeked.proofs(), RereplicationPage.Writes.NONE),
        null,
        null);
  }
}
