package io.varve.host.http;

import io.varve.cluster.stats.Pool;
import io.varve.cluster.stats.Pools;
import io.varve.events.ShardId;
import io.varve.host.HostedCopies;
import io.varve.host.ShardCopy;
import io.varve.http.internal.InternalCallTimes;
import io.varve.http.internal.InternalFailures;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.util.function.BiConsumer;

/**
 * Calls of copies that are parts of one request to their node. A part is checked and counted, and
 * fails, like a separate request to the copy; see {@link ShardRoutes}.
 */
public final class CopyCalls {

  private static final int OK = 200;

  private final HostedCopies copies;
  private final Pools pools;
  private final BiConsumer<ShardCopy, String> damaged;
  private final InternalCallTimes times;

  /**
   * @param damaged called with a copy that has read a damaged file, and the damage
   */
  public CopyCalls(
      HostedCopies copies,
      Pools pools,
      BiConsumer<ShardCopy, String> damaged,
      InternalCallTimes times) {
    this.copies = copies;
    this.pools = pools;
    this.damaged = damaged;
    this.times = times;
  }

  /** The status and the body with which an endpoint would respond. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Answer(int status, byte[] body) {

    public static Answer of(ErrorBody error) {
      return new Answer(error.status(), InternalFailures.body(error));
    }
  }

  /** The work of a call; returns the body of its answer. */
  @FunctionalInterface
  public interface Work {
    byte[] on(ShardCopy copy) throws IOException, InterruptedException;
  }

  /** The copy of the shard; 404 if the node has none. */
  public ShardCopy copy(ShardId shard) {
    return CopyFilter.required(shard, copies.copy(shard));
  }

  /**
   * Answers a call; each failure becomes an answer.
   *
   * @param endpoint the name under which the call is counted
   */
  public Answer answer(ShardId shard, String endpoint, Work work) {
    long began = times.began();
    int status = 500;
    try {
      Answer answer = answered(shard, endpoint, work);
      status = answer.status();
      return answer;
    } finally {
      times.ended(endpoint, status, began);
    }
  }

  private Answer answered(ShardId shard, String endpoint, Work work) {
    try {
      ShardCopy copy = copy(shard);
      Pool pool = pools.of(CopyPoolFilter.kindOfWork(endpoint));
      pool.begin();
      try {
        return new Answer(OK, DamageFilter.guarded(copy, damaged, () -> work.on(copy)));
      } finally {
        pool.end();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return failed(shard, endpoint, e);
    } catch (Exception | StackOverflowError e) {
      return failed(shard, endpoint, e);
    }
  }

  private static Answer failed(ShardId shard, String endpoint, Throwable failure) {
    return Answer.of(InternalFailures.error(failure, endpoint + " of " + shard));
  }
}
