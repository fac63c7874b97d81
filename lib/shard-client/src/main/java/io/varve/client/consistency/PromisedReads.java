package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Asks the copies of a shard one after the other until one answers, in the order of {@link
 * ReadSchedule}; copies that answer while they are recovering come after the started ones, then a
 * primary that is being promoted, and copies that refused recently come last.
 *
 * <p>When none answered, all are asked again after a change of the shard in the cluster state, or
 * after a pause if another copy may answer before that, until the read's time is over (see {@link
 * Reading} and {@link Options}), if
 *
 * <ul>
 *   <li>the read is under a promise, or waits ({@link Options}), because a failover of the primary
 *       may complete in that time; or
 *   <li>a copy refused although the state names it as started, which means that this coordinator's
 *       state lags; or a primary that is being promoted refused, and is about to start.
 * </ul>
 *
 * Otherwise the read fails immediately.
 *
 * <p>No copy gets more than half of the remaining time, so that a copy that never keeps the promise
 * does not use up all of it.
 */
public final class PromisedReads {

  private final ReadCopies.Around around;

  public PromisedReads(
      ClusterStateSource cluster, ShardClient client, KnownSeqNos known, PromiseMeters meters) {
    this.around =
        new ReadCopies.Around(
            cluster, client, known, meters, new RefusingCopies(cluster.clock()::nanos));
  }

  /**
   * Which copies may be asked, and when the read ends.
   *
   * @param order sorts copies by preference
   * @param substitutes copies that are asked to answer as of the end of the log when the others did
   *     not answer
   * @param isFinal whether an error is the request's own fault, so that no other copy is asked
   * @param waiting which copies are waited for, and how long
   */
  public record Options(
      UnaryOperator<List<CopyAddress>> order,
      UnaryOperator<List<CopyAddress>> substitutes,
      Predicate<ErrorBody> isFinal,
      Waiting waiting) {

    /** Without substitutes. */
    public Options(
        UnaryOperator<List<CopyAddress>> order, Predicate<ErrorBody> isFinal, Waiting waiting) {
      this(order, _ -> List.of(), isFinal, waiting);
    }
  }

  /** How a read waits for copies, within the time of its {@link Reading}. */
  public sealed interface Waiting {

    /** A get, which reads applied operations: it waits for a primary, whatever the error. */
    record ForPrimary() implements Waiting {}

    /** A get of what is visible: it waits only for copies that refused. */
    record ForStarted() implements Waiting {}

    /**
     * A search: it also asks a primary that takes over, and waits for its start.
     *
     * @param leftMillis the time that is left of the request's own timeout
     */
    record ForSearch(LongSupplier leftMillis) implements Waiting {}
  }

  /** The answer of a copy. */
  public record Reply<T>(CopyAddress copy, T answer) {}

  /** Asks one copy, or several that race. */
  @FunctionalInterface
  public interface Asking<T> {

    /**
     * Fails as {@link ShardClient} does.
     *
     * @param spares other copies that may be asked
     */
    Reply<T> ask(CopyAddress copy, ReserveCopies spares, ReadDemand demand)
        throws InterruptedException;
  }

  /** The outcome of a read. */
  public sealed interface Outcome<T> {

    /** A copy answered. */
    record Answered<T>(CopyAddress copy, T answer) implements Outcome<T> {}

    /** No copy answered; {@code error} is the one to report, of the copy on {@code nodeId}. */
    record Failed<T>(@Nullable String nodeId, ErrorBody error) implements Outcome<T> {}
  }

  /** Starts from the cluster state of the request. */
  public <T> Outcome<T> read(
      ClusterState state, ShardRouting shard, Options options, Reading reading, Asking<T> asking)
      throws InterruptedException {
    return new ReadCopies<>(around, state, shard, options, reading, asking).run();
  }
}
