package io.varve.rpc;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a shard's primary to one step of a re-replication job.
 *
 * @param next the position at which the next step begins
 * @param left the records that the job still has to process: those that are not known to be
 *     replicated, or all if it writes. Counted after the first and the last step only; -1 after
 *     other steps
 * @param throttledMillis the time for which the limit of the node delayed the step
 * @param compared the comparison of {@code verify=digest}; null for other steps
 * @param failure why the job can't continue in this shard; null if it can
 */
public record RereplicationPage(
    RereplicationPosition next,
    long left,
    long throttledMillis,
    Outcomes outcomes,
    @Nullable Compared compared,
    @Nullable Failure failure) {

  /**
   * The comparison between the primary and its copies.
   *
   * @param ranges of seq_nos with documents
   * @param differing ranges whose records were queried by id
   * @param files of copies that receive their segments
   */
  public record Compared(long ranges, long differing, long files) {

    public static final Compared NOTHING = new Compared(0, 0, 0);

    public Compared plus(Compared other) {
      return new Compared(ranges + other.ranges, differing + other.differing, files + other.files);
    }
  }

  /**
   * The outcomes of the step's records.
   *
   * @param checked records that the step has passed
   */
  public record Outcomes(long checked, Proofs proofs, Writes writes) {

    public static final Outcomes NONE = new Outcomes(0, Proofs.NONE, Writes.NONE);

    public Outcomes plus(Outcomes other) {
      return new Outcomes(
          checked + other.checked, proofs.plus(other.proofs), writes.plus(other.writes));
    }
  }

  /**
   * The outcomes of the queries to the copies.
   *
   * @param newer records of which a copy holds a later version: the primary is about to catch up or
   *     to be replaced
   */
  public record Proofs(long success, long error, long timeout, long newer) {

    public static final Proofs NONE = new Proofs(0, 0, 0, 0);

    public Proofs plus(Proofs other) {
      return new Proofs(
          success + other.success,
          error + other.error,
          timeout + other.timeout,
          newer + other.newer);
    }
  }

  /**
   * The outcomes of the writes.
   *
   * @param noops records that a partial document did not change
   * @param conflicts records that were changed after they were found
   */
  public record Writes(long updated, long noops, long conflicts) {

    public static final Writes NONE = new Writes(0, 0, 0);

    public Writes plus(Writes other) {
      return new Writes(updated + other.updated, noops + other.noops, conflicts + other.conflicts);
    }
  }

  /** An error of a record. */
  public record Failure(int status, String type, String reason) {

    public static Failure of(ErrorBody error) {
      return new Failure(error.status(), error.type(), error.reason());
    }

    public ErrorBody error() {
      return ErrorBody.of(status, type, reason);
    }
  }

  public boolean done() {
    return next.nextSeqNo() >= next.endSeqNo();
  }
}
