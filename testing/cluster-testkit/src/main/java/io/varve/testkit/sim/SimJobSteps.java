package io.varve.testkit.sim;

import io.varve.engine.DocumentsBySeqNo;
import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy.LiveVersion;
import io.varve.engine.version.DocumentState;
import io.varve.events.Operation;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationWork;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.replicated.RecordWalk;
import io.varve.shard.replicated.RecordWrites;
import io.varve.shard.replicated.ReplicationTracker;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The steps of re-replication jobs on one primary, as production's {@code RereplicationSteps} takes
 * them: production's {@link RecordWalk} finds the records and asks for them, {@link
 * RereplicationPosition} decides where a job continues, and {@link RecordWrites} what it writes.
 */
final class SimJobSteps {

  /** A small number, so that a job needs many steps for the operations of a history. */
  static final int WINDOW = 2;

  /**
   * The factor by which the clock of claims is faster, so that a lost claim expires within a
   * history.
   */
  private static final int SPEED = 75;

  /** After this time, the outcome of a write is unknown to the job. */
  private static final long WRITE_MICROS = 200_000;

  private final World world;
  private final PrimaryActor primary;
  private final RecordWalk walk;

  SimJobSteps(PrimaryActor primary, ReplicationTracker tracker) {
    this.world = primary.world;
    this.primary = primary;
    this.walk = new RecordWalk(new Documents(), primary.held(), this::show, tracker, WINDOW);
  }

  /** The operations that the primary has applied. */
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
      return primary.engine.state().values().stream()
          .filter(applied -> !applied.isDelete())
          .filter(applied -> applied.seqNo() >= fromSeqNo && applied.seqNo() < toSeqNo)
          .filter(applied -> ofSeqNo.test(applied.seqNo()))
          .sorted(Comparator.comparingLong(Operation::seqNo))
          .map(applied -> new LiveVersion(applied.id(), applied.seqNo(), applied.term()))
          .toList();
    }
  }

  private GetResult document(String id) {
    DocumentState state = primary.engine.applied(id);
    return state == null || state.deleted()
        ? GetResult.missing(id)
        : state.found(id, state.source(), Map.of());
  }

  private void show(long seqNo) {
    if (primary.visibleSeqNo() < seqNo) {
      primary.refresh(() -> {});
    }
  }

  /** A job and its work in the shard. */
  record Job(String id, RereplicationWork work) {

    boolean writes() {
      return work.operations().writes();
    }
  }

  /** Answers once the copies have; no answer stands for any error. */
  void step(Job job, RereplicationPosition at, Consumer<RereplicationPage> reply) {
    if (!primary.node.jobs(primary.shard).claim(job.id(), world.queue().nowMillis() * SPEED)) {
      return;
    }
    RereplicationPosition from;
    try {
      from = continued(job, at);
    } catch (LogException e) {
      world.note(primary + " can't read the start of its log");
      return;
    }
    RecordWalk.Window window =
        walk.next(
            from.nextSeqNo(),
            from.endSeqNo(),
            new RecordWalk.Selection(job.writes(), Matching.ALL));
    RecordWalk.Page page;
    try {
      page = walk.ask(window);
    } catch (ApiException e) {
      world.note(primary + " refuses a step of " + job.id() + ": " + e.getMessage());
      return;
    }
    var _ =
        page.ended()
            .thenRun(() -> {
              if (primary.alive()) {
                peeked(job, window, page.peeked(), reply);
              }
            });
  }

  private RereplicationPosition continued(Job job, RereplicationPosition at) throws LogException {
    if (world.mutated(Mutation.CONTINUE_A_JOB_UNDER_ANOTHER_PRIMARY)) {
      return at;
    }
    boolean isWritten =
        job.writes()
            && (world.mutated(Mutation.CONTINUE_A_WRITING_JOB_AFTER_A_REVIVAL)
                || !LogBeginning.of(log()).mayBeRevivedAfter(at.term()));
    return at.under(primary.term(), incarnation(), isWritten);
  }

  private PartitionLog log() {
    SimProcess process = primary.node.process();
    return world.open(World.ops(primary.shard), process, "j-" + process);
  }

  private void peeked(
      Job job,
      RecordWalk.Window window,
      RecordWalk.Peeked peeked,
      Consumer<RereplicationPage> reply) {
    if (!job.writes()) {
      reply.accept(answer(window, peeked, RecordWrites.End.withoutWrites(peeked)));
      return;
    }
    peeked
        .proven()
        .forEach(version -> world.observe(new Observation.CalledReplicated(primary, version)));
    write(
        new RecordWrites(this::document, job.work(), peeked),
        end -> reply.accept(answer(window, peeked, end)));
  }

  /** Writes one bulk after the other. */
  private void write(RecordWrites writes, Consumer<RecordWrites.End> ended) {
    List<WriteItem> items = writes.next();
    if (!items.isEmpty()) {
      write(
          items,
          results -> {
            writes.answered(results);
            write(writes, ended);
          });
      return;
    }
    RecordWrites.End end;
    try {
      end = writes.end();
    } catch (ApiException e) {
      world.note(primary + " can't write the records of a job now: " + e.getMessage());
      return;
    }
    ended.accept(end);
  }

  private void write(List<WriteItem> items, Consumer<List<WriteResult>> then) {
    boolean[] answered = {false};
    Consumer<List<WriteResult>> once =
        results -> {
          if (!answered[0]) {
            answered[0] = true;
            then.accept(results);
          }
        };
    primary
        .writes()
        .write(
            world.mutated(Mutation.WRITE_A_RECORD_WHATEVER_ITS_VERSION)
                ? items.stream().map(SimJobSteps::unconditional).toList()
                : items,
            primary.term(),
            results -> {
              observe(items, results);
              once.accept(results);
            });
    WriteResult unknown =
        new WriteResult.Failed(ErrorBody.of(503, WriteResult.UNKNOWN_OUTCOME, "it took too long"));
    primary.after(WRITE_MICROS, () -> once.accept(Collections.nCopies(items.size(), unknown)));
  }

  private static WriteItem unconditional(WriteItem item) {
    return item.ifAt(WriteItem.UNASSIGNED, 0);
  }

  private void observe(List<WriteItem> items, List<WriteResult> results) {
    for (int i = 0; i < items.size(); i++) {
      if (results.get(i) instanceof WriteResult.Done done) {
        world.observe(new Observation.JobWrote(primary.shard, items.get(i), done));
      }
    }
  }

  private RereplicationPage answer(
      RecordWalk.Window window, RecordWalk.Peeked peeked, RecordWrites.End end) {
    ErrorBody failure = end.failure();
    return new RereplicationPage(
        new RereplicationPosition(
            primary.term(), incarnation(), end.nextSeqNo(), window.endSeqNo()),
        -1,
        0,
        end.outcomes(window, peeked),
        null,
        failure == null ? null : RereplicationPage.Failure.of(failure));
  }

  private String incarnation() {
    return primary.node.process().toString();
  }
}
