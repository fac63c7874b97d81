package io.varve.shard.replicated;

import io.varve.rpc.ApiException;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Proves the records of former primaries by comparing the documents of all copies after the start
 * of a primary: {@code index.replication.appeals: digest}.
 *
 * <pre>
 *   WAITING     not all copies have reported that they hold everything before this primary
 *   COMPARING   see {@link CopyComparison}
 *   PROVEN      no copy contradicts: all records before this primary are replicated
 *   RETRYING    a copy did not answer, copies were opened in the meantime, or the log or a copy
 *               did not answer after a contradiction. Compared again after a pause
 *   UNDECIDED   a copy contradicts. Each contradiction is decided, or the log cannot decide it, and
 *               the copies answered for all other records by id: another comparison of the same
 *               copies would find the same. Compared again once there are other copies, or no
 *               record is contradicted any more; this is checked after each pause
 * </pre>
 *
 * A pause doubles from {@value #FIRST_PAUSE_MILLIS} to {@value #MOST_PAUSE_MILLIS} ms.
 */
final class DigestAppeal {

  private static final Logger LOG = LoggerFactory.getLogger(DigestAppeal.class);
  static final long FIRST_PAUSE_MILLIS = 1_000;
  static final long MOST_PAUSE_MILLIS = 60_000;

  /** The copies of the shard. Calls block. */
  interface Copies {

    CopyComparison.Result compare(long upToSeqNo) throws IOException, InterruptedException;

    /** A copy differs from the primary. */
    void differs(Member by, CopyComparison.Differences found) throws InterruptedException;

    /**
     * Asks the copies for all documents below a seq_no that are not known to be replicated.
     *
     * @return whether all copies answered in time
     */
    boolean askById(long toSeqNo) throws InterruptedException;

    /** Whether each contradiction is decided, or known to be undecidable. */
    boolean settled();
  }

  /** The state of an appeal. */
  enum State {
    WAITING,
    COMPARING,
    PROVEN,
    RETRYING,
    UNDECIDED;

    /** The name in statistics. */
    String shown() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The progress of an appeal.
   *
   * @param comparisons that have begun
   * @param pauseMillis before the next step in the states RETRYING and UNDECIDED
   */
  record Progress(State state, long comparisons, long pauseMillis) {}

  private final TrackerContext node;
  private final ReplicatedRecords records;
  private final long base;
  private final Copies copies;
  private long nextPauseMillis = FIRST_PAUSE_MILLIS;
  private volatile Progress progress = new Progress(State.WAITING, 0, 0);

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
      enter(State.PROVEN, 0);
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

  Progress progress() {
    return progress;
  }

  private void enter(State state, long pauseMillis) {
    progress = new Progress(state, progress.comparisons(), pauseMillis);
  }

  private void run() {
    progress = new Progress(State.COMPARING, progress.comparisons() + 1, 0);
    Set<Opening> members = records.openings();
    try {
      switch (appeal()) {
        case PROVEN -> enter(State.PROVEN, 0);
        case UNDECIDED -> undecided(members, FIRST_PAUSE_MILLIS);
        default -> retry();
      }
    } catch (IOException e) {
      LOG.info("the copies can't be compared yet: {}", e.toString());
      retry();
    } catch (ApiException e) {
      LOG.info("too many records are being asked for: {}", e.getMessage());
      retry();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void retry() {
    enter(State.RETRYING, nextPauseMillis);
    node.after(nextPauseMillis, () -> node.execute(this::run));
    nextPauseMillis = Math.min(MOST_PAUSE_MILLIS, 2 * nextPauseMillis);
  }

  private void undecided(Set<Opening> compared, long pauseMillis) {
    enter(State.UNDECIDED, pauseMillis);
    node.after(
        pauseMillis,
        () -> {
          if (records.openings().equals(compared) && isUndecided()) {
            undecided(compared, Math.min(MOST_PAUSE_MILLIS, 2 * pauseMillis));
          } else {
            nextPauseMillis = FIRST_PAUSE_MILLIS;
            node.execute(this::run);
          }
        });
  }

  private State appeal() throws IOException, InterruptedException {
    CopyComparison.Result result = copies.compare(base - 1);
    LOG.info("compared: {}", result);
    if (!result.late().isEmpty()) {
      return State.RETRYING;
    }
    if (result.differences().isEmpty()) {
      return records.compared(result.openings(), base - 1) ? State.PROVEN : State.RETRYING;
    }
    for (Map.Entry<Member, CopyComparison.Differences> found : result.differences().entrySet()) {
      copies.differs(found.getKey(), found.getValue());
    }
    boolean answered = copies.askById(base);
    if (records.replicatedUpTo() >= base - 1) {
      return State.PROVEN;
    }
    return answered && isUndecided() ? State.UNDECIDED : State.RETRYING;
  }

  private boolean isUndecided() {
    return records.hasContradictions() && copies.settled();
  }
}
