package io.varve.shard.replicated;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy;
import io.varve.host.CopyContext;
import java.io.IOException;
import java.util.List;

/** The copies of a shard on running nodes, for a {@link DigestAppeal}. */
final class AppealedCopies implements DigestAppeal.Copies {

  /** So many contradictions of a copy are compared with the log; one is enough to rebuild it. */
  private static final int COMPARED_WITH_LOG = 10;

  private static final RecordWalk.Selection UNREPLICATED =
      new RecordWalk.Selection(false, Matching.ALL);

  private final CopyContext context;
  private final SearchableCopy copy;
  private final Confirmer confirmer;
  private final Contradictions contradictions;
  private final RecordWalk walk;

  AppealedCopies(
      CopyContext context,
      SearchableCopy copy,
      Confirmer confirmer,
      Contradictions contradictions,
      RecordWalk walk) {
    this.context = context;
    this.copy = copy;
    this.confirmer = confirmer;
    this.contradictions = contradictions;
    this.walk = walk;
  }

  private boolean segments() {
    return context.index().replicationType().equals(IndexMetadata.SEGMENT);
  }

  @Override
  public CopyComparison.Result compare(long upToSeqNo) throws IOException, InterruptedException {
    return new CopyComparison(
            CopyComparison.own(copy),
            new ComparedCopies(context, confirmer.records()),
            confirmer::applied)
        .compare(upToSeqNo, segments());
  }

  @Override
  public void contradicted(Member by, List<String> names) throws IOException, InterruptedException {
    if (segments()) {
      new Rebuilds(context).rebuild(by, "its files differ from those of its manifest: " + names);
    } else {
      names.stream()
          .limit(COMPARED_WITH_LOG)
          .forEach(id -> contradictions.met(confirmer.present(id), by));
    }
  }

  @Override
  public void askById(long toSeqNo) throws InterruptedException {
    long next = 0;
    while (next < toSeqNo) {
      RecordWalk.Window window = walk.next(next, toSeqNo, UNREPLICATED);
      next = walk.peek(window).nextSeqNo();
    }
  }
}
