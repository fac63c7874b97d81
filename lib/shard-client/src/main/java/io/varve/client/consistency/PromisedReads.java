package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Asks the copies of a shard one after the other until one answers, in the order of {@link
 * ReadSchedule}; after the started ones those that answer while they are being built. Copies that
 * refused a moment ago come last.
 *
 * <p>When none answered, all are asked again as soon as the cluster's state says something else of
 * the shard, or after a pause, until the read's time is over (see {@link Reading}), if
 *
 * <ul>
 *   <li>the read is under a promise, or waits ({@link Way}): a primary may fail over meanwhile; or
 *   <li>a copy refused that the state calls started: this coordinator's state is behind.
 * </ul>
 *
 * Otherwise it fails at once.
 *
 * <p>No copy is waited for longer than half of the time that is left, so that one which will never
 * show what was promised does not take all.
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
   * Which copies may be asked, and when to give up.
   *
   * @param order puts copies into the order of preference
   * @param substitutes the copies that are asked for all that is in the log when those did not
   *     answer
   * @param isFinal whether an error is the request's own fault: no other copy is asked then
   * @param waits whether the read waits for a copy as long as it has time, whatever is wrong
   */
  public record Way(
      UnaryOperator<List<CopyAddress>> order,
      UnaryOperator<List<CopyAddress>> substitutes,
      Predicate<ErrorBody> isFinal,
      boolean waits) {

    /** Without substitutes, and without waiting. */
    public Way(UnaryOperator<List<CopyAddress>> order, Predicate<ErrorBody> isFinal) {
      this(order, _ -> List.of(), isFinal, false);
    }
  }

  /** What a copy answered. */
  public record Reply<T>(CopyAddress copy, T answer) {}

  /** Asks one copy, or others with it. */
  @FunctionalInterface
  public interface Asking<T> {

    /**
     * Throws what a {@link ShardClient} does.
     *
     * @param spares that may be asked too
     */
    Reply<T> ask(CopyAddress copy, ReserveCopies spares, ReadDemand demand)
        throws InterruptedException;
  }

  /** What came of it. */
  public sealed interface Outcome<T> {

    /** A copy answered. */
    record Answered<T>(CopyAddress copy, T answer) implements Outcome<T> {}

    /** None did; {@code error} is what was wrong with the copy asked last, on {@code nodeId}. */
    record Failed<T>(@Nullable String nodeId, ErrorBody error) implements Outcome<T> {}
  }

  /** Begins in the state that the request has seen. */
  public <T> Outcome<T> read(
      ClusterState state, ShardRouting shard, Way way, Reading reading, Asking<T> asking)
      throws InterruptedException {
    return new ReadCopies<>(around, state, shard, way, reading, asking).run();
  }
}
