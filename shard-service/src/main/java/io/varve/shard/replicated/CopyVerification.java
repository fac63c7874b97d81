package io.varve.shard.replicated;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.SearchableCopy;
import io.varve.host.CopyContext;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the copies of a shard on running nodes, and handles the differences.
 *
 * <pre>
 *   a file differs from the manifest   the copy deletes its files and is rebuilt
 *   a record differs                   the record counts as not replicated until the copy confirms
 *                                      it or is replaced; the log decides which copy is rebuilt
 *                                      ({@link Contradictions})
 * </pre>
 */
final class CopyVerification {

  private static final Logger LOG = LoggerFactory.getLogger(CopyVerification.class);

  private final CopyContext context;
  private final SearchableCopy copy;
  private final Confirmer confirmer;
  private final Contradictions contradictions;

  CopyVerification(
      CopyContext context,
      SearchableCopy copy,
      Confirmer confirmer,
      Contradictions contradictions) {
    this.context = context;
    this.copy = copy;
    this.confirmer = confirmer;
    this.contradictions = contradictions;
  }

  CopyComparison.Result compare(long upToSeqNo) throws IOException, InterruptedException {
    return new CopyComparison(
            CopyComparison.own(copy),
            new ComparedCopies(context, confirmer.records()),
            confirmer::applied)
        .compare(upToSeqNo, context.index().replicationType().equals(IndexMetadata.SEGMENT));
  }

  /** A copy differs from the primary. Blocks, because it reads the log. */
  void differs(Member by, CopyComparison.Differences found) throws InterruptedException {
    decide(confirmer.records(), contradictions, by, found.records());
    if (!found.files().isEmpty()) {
      rebuild(by, found.files());
    }
  }

  /** Whether each contradiction is decided, or known to be undecidable. */
  boolean settled() {
    return !contradictions.hasOpen();
  }

  /** Records in which a copy differs from the primary. */
  static void decide(
      ReplicatedRecords records, Contradictions contradictions, Member by, List<Disputed> found) {
    // INVARIANT: this precedes the reading of the log, which takes long, so that no get returns
    // these records in that time.
    found.forEach(disputed -> records.contradicted(disputed.version(), by));
    if (!found.isEmpty()) {
      contradictions.met(found, by);
    }
  }

  private void rebuild(Member by, List<String> files) throws InterruptedException {
    try {
      new Rebuilds(context).rebuild(by, "its files differ from those of its manifest: " + files);
    } catch (IOException e) {
      LOG.warn("copy {} could not be notified that its files {} differ", by.copyId(), files, e);
    }
  }
}
