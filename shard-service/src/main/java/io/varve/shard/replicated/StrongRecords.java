package io.varve.shard.replicated;

import io.varve.cluster.IndexSettings;
import io.varve.engine.SearchableCopy;
import io.varve.host.CopyContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replication states of the records on the primary of a strongly consistent index, and the
 * requests that use them: reads, the check before writes, jobs, and the statistics for operators.
 */
public final class StrongRecords implements AutoCloseable {

  private final ReplicationTracker tracker;
  private final ConfirmedReads reads;
  private final ConfirmedBases bases;
  private final ReplicationWatch watch;
  private final RereplicationSteps steps;
  private final ReplicatedSeqNos published;

  /** Null unless records of former primaries are proven by comparing documents. */
  private final @Nullable DigestAppeal appeal;

  /**
   * @param base the first seq_no that the primary of {@code term} assigns
   */
  public StrongRecords(
      CopyContext context,
      long term,
      long base,
      SearchableCopy copy,
      Confirmer.Primary primary,
      Rereplications node) {
    this.tracker = new ReplicationTracker(context, term, base, primary.applied());
    Contradictions contradictions = new Contradictions(new Rebuilds(context));
    Confirmer confirmer =
        new Confirmer(
            primary, tracker, (disputed, by) -> contradictions.met(List.of(disputed), by));
    this.reads = new ConfirmedReads(confirmer);
    this.bases = new ConfirmedBases(confirmer);
    this.watch =
        new ReplicationWatch(
            tracker.records(),
            copy,
            primary.applied(),
            node.of(context.shard()),
            context.node().clock(),
            contradictions);
    tracker
        .records()
        .onQuestion(question -> {
          watch.asked(question);
          var _ =
              question
                  .outcome()
                  .thenAccept(outcome -> {
                    if (outcome instanceof Confirmation.Outcome.Contradicted(var by)) {
                      Disputed disputed = Disputed.of(question.version());
                      tracker.node().execute(() -> contradictions.met(List.of(disputed), by));
                    }
                  });
        });
    RecordWalk walk =
        new RecordWalk(copy, primary.applied(), primary.show(), tracker, RecordWalk.WINDOW);
    CopyVerification verification = new CopyVerification(context, copy, confirmer, contradictions);
    this.steps =
        new RereplicationSteps(
            context, term, new RereplicationSteps.Records(copy, walk, watch, verification), node);
    this.appeal =
        IndexSettings.appealsByDigest(context.settings())
            ? new DigestAppeal(
                tracker.node(), tracker.records(), base, new AppealedCopies(verification, walk))
            : null;
    this.published =
        new ReplicatedSeqNos(context, tracker.node(), term, tracker.records().replicatedSoFar());
  }

  /** Begins to query the copies. */
  public void start() {
    watch.open();
    tracker.start();
    published.start();
    if (appeal != null) {
      watch.appeals(appeal);
      appeal.start();
    }
  }

  public ConfirmedReads reads() {
    return reads;
  }

  public ConfirmedBases bases() {
    return bases;
  }

  public ReplicationWatch watch() {
    return watch;
  }

  public RereplicationSteps steps() {
    return steps;
  }

  @Override
  public void close() {
    try {
      tracker.close();
    } finally {
      watch.close();
    }
  }
}
