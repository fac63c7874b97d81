package io.varve.shard.replicated;

import io.varve.engine.Matching;
import io.varve.rpc.RereplicationPage;
import java.io.IOException;

/** The copies of a shard on running nodes, for a {@link DigestAppeal}. */
final class AppealedCopies implements DigestAppeal.Copies {

  private static final RecordWalk.Selection UNREPLICATED =
      new RecordWalk.Selection(false, Matching.ALL);

  private final CopyVerification verification;
  private final RecordWalk walk;

  AppealedCopies(CopyVerification verification, RecordWalk walk) {
    this.verification = verification;
    this.walk = walk;
  }

  @Override
  public CopyComparison.Result compare(long upToSeqNo) throws IOException, InterruptedException {
    return verification.compare(upToSeqNo);
  }

  @Override
  public void differs(Member by, CopyComparison.Differences found) throws InterruptedException {
    verification.differs(by, found);
  }

  @Override
  public boolean askById(long toSeqNo) throws InterruptedException {
    RereplicationPage.Proofs proofs = RereplicationPage.Proofs.NONE;
    long next = 0;
    while (next < toSeqNo) {
      RecordWalk.Window window = walk.next(next, toSeqNo, UNREPLICATED);
      RecordWalk.Peeked peeked = walk.peek(window);
      proofs = proofs.plus(peeked.proofs());
      next = peeked.nextSeqNo();
    }
    return proofs.timeout() + proofs.newer() == 0;
  }

  @Override
  public boolean settled() {
    return verification.settled();
  }
}
