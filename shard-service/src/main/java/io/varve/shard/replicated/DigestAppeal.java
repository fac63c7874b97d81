package io.varve.shard.replicated;

import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves the records of former primaries by comparing the documents of all copies after the start
 * of a primary: {@code index.replication.appeals: digest}.
 *
 * <pre>
 *   all copies say that they hold everything before this primary    compare, see CopyComparison
 *   no copy contradicts                                             all records before this primary
 *                                                                   are replicated
 *   a copy contradicts                                              the log decides which one is
 *                                                                   wrong; all records are asked
 *                                                                   for by id
 *   a copy does not answer, other copies started meanwhile, or      again after a pause, which
 *   records are left                                                grows
 * </pre>
 */
final class DigestAppeal {

  private static final Logger LOG = LoggerFactory.getLogger(DigestAppeal.class);
  private static final long FIRST_PAUSE_MILLIS = 1_000;
  private static final long MOST_PAUSE_MILLIS = 60_000;

  /** The copies of the shard. Calls block. */
  interface Copies {

    CopyComparison.Result compare(long upToSeqNo) throws IOException, InterruptedException;

    /** A copy differs from the primary. */
    void differs(Member by, CopyComparison.Differences found) throws InterruptedException;

    /** Asks the copies for all documents below a seq_no that are not known to be replicated. */
    void askById(long toSeqNo) throws InterruptedException;
  }

  private final TrackerContext node;
  private final ReplicatedRecords records;
  private final long base;
  private final Copies copies;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /**
   * @param base the first seq_no that the primary assigns
   */
  DigestAppeal(TrackerContext node, ReplicatedRecords records, long base, Copies copies) {
    this.node = node;
    this.records = records;
    this.base = base;
    this.copies = copies;
  }

  /** Begins to wait for the copies; ends with the primary. */
  void start() {
    if (base == 0) {
      return;
    }
    var _ =
        records
            .heldByAll()
            .reached(base - 1)
            .thenAccept(held -> {
              if (held) {
                node.execute(this::run);
              }
            });
  }

  private void run() {
    boolean proven = false;
    try {
      proven = appeal();
    } catch (IOException e) {
      LOG.info("the copies can't be compared yet: {}", e.toString());
    } catch (ApiException e) {
      LOG.info("too many records are being asked for: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    if (!proven) {
      node.after(pauseMillis, () -> node.execute(this::run));
      pauseMillis = Math.min(MOST_PAUSE_MILLIS, 2 * pauseMillis);
    }
  }

  private boolean appeal() throws IOException, InterruptedException {
    CopyComparison.Result result = copies.compare(base - 1);
    LOG.info("compared: {}", result);
    if (!result.late().isEmpty()) {
      return false;
    }
    if (result.differences().isEmpty()) {
      return records.compared(result.members(), base - 1);
    }
    for (Map.Entry<Member, CopyComparison.Differences> found : result.differences().entrySet()) {
      copies.differs(found.getKey(), found.getValue());
    }
    copies.askById(base);
    return records.replicatedUpTo() >= base - 1;
  }
}
