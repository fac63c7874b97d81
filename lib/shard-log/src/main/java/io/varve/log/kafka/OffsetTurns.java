package io.varve.log.kafka;

import io.varve.log.LogException;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.TopicPartition;

/**
 * Bounds the number of concurrent offset requests. Further requests wait for their turn, in the
 * order of their arrival: a node that opens many copies at once makes many requests.
 *
 * <p>A request that is not answered has its turn until its timeout. Turns are therefore counted by
 * the broker that leads the partition ({@link OffsetLane}), so that a request waits only behind
 * requests to the same broker. Partitions without a known leader share one lane. A wait ends when
 *
 * <pre>
 *   the lane has a free turn                                 the request is made
 *   no request in the lane was answered for the timeout      the request fails
 *   the wait lasts ten times the timeout                     the request fails
 * </pre>
 *
 * <p>While a request waits, the leader of its partition is looked up again from time to time. The
 * request thus leaves the lane of an unavailable broker once the partition has another leader.
 */
final class OffsetTurns {

  /** The longest wait while other requests in the lane are answered, in timeouts. */
  static final int LONGEST_WAIT = 10;

  private static final long LOOK_UP_AGAIN_MILLIS = 1_000;

  /** Finds the broker that leads a partition. The answer may be old: it only selects the lane. */
  interface Leaders {

    /** Represents the leader of a partition without a known one. */
    int NONE = -1;

    /**
     * The id of the broker that leads the partition, or {@link #NONE}.
     *
     * @throws LogException.Unavailable if the thread is interrupted
     */
    int of(TopicPartition partition) throws LogException.Unavailable;

    /** The next call asks a broker. */
    void forget(TopicPartition partition);
  }

  private final Leaders leaders;
  private final Duration timeout;
  private final Ticker clock;
  private final Map<Integer, OffsetLane> lanes = new ConcurrentHashMap<>();

  /**
   * @param timeout the time without an answer to any request in a lane, after which those that wait
   *     in it fail
   */
  OffsetTurns(Leaders leaders, Duration timeout, Ticker clock) {
    this.leaders = leaders;
    this.timeout = timeout;
    this.clock = clock;
  }

  /** The permission to make one request; to be closed after the request. */
  final class Turn implements AutoCloseable {
    private final TopicPartition partition;
    private final OffsetLane lane;
    private final OffsetLane.Place place;
    private boolean answered;

    private Turn(TopicPartition partition, OffsetLane lane) {
      this.partition = partition;
      this.lane = lane;
      this.place = lane.enter();
    }

    /** The request was answered, so that others in the lane may continue to wait. */
    void answered() {
      answered = true;
      lane.answered(clock.nanos());
    }

    @Override
    public void close() {
      lane.leave(place);
      if (!answered) {
        leaders.forget(partition);
      }
    }
  }

  /**
   * Waits for the turn of a request for an offset of the partition.
   *
   * @throws LogException.Unavailable if the wait is too long, or if the thread is interrupted
   */
  Turn await(TopicPartition partition) throws LogException.Unavailable {
    long beganNanos = clock.nanos();
    while (true) {
      int leader = leaders.of(partition);
      OffsetLane lane =
          lanes.computeIfAbsent(leader, id -> new OffsetLane(name(id), clock.nanos()));
      Turn turn = new Turn(partition, lane);
      boolean granted = false;
      try {
        granted = isGranted(turn, leader, beganNanos);
      } finally {
        if (!granted) {
          lane.leave(turn.place);
        }
      }
      if (granted) {
        return turn;
      }
    }
  }

  private static String name(int leader) {
    return leader == Leaders.NONE ? "partitions without a known leader" : "broker " + leader;
  }

  /** Waits in the lane; returns false once the partition has another leader. */
  private boolean isGranted(Turn turn, int leader, long beganNanos)
      throws LogException.Unavailable {
    do {
      boolean granted = awaitSome(turn.place.granted());
      requireInTime(turn, beganNanos);
      if (granted) {
        return true;
      }
      leaders.forget(turn.partition);
    } while (leaders.of(turn.partition) == leader);
    return false;
  }

  private static boolean awaitSome(CompletableFuture<Boolean> granted)
      throws LogException.Unavailable {
    try {
      return granted.get(LOOK_UP_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return granted.isDone();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException.Unavailable("interrupted while waiting to request offsets", e);
    }
  }

  private void requireInTime(Turn turn, long beganNanos) throws LogException.Unavailable {
    long nowNanos = clock.nanos();
    long waitedNanos = nowNanos - beganNanos;
    long silentNanos = turn.lane.nanosSinceAnswer(nowNanos);
    boolean isSilent = Math.min(waitedNanos, silentNanos) >= timeout.toNanos();
    if (isSilent || waitedNanos >= LONGEST_WAIT * timeout.toNanos()) {
      throw new LogException.Unavailable(
          ("no offset of %s was requested within %d ms: all turns of %s were in use, and the newest"
                  + " answer came %d ms ago")
              .formatted(
                  turn.partition,
                  TimeUnit.NANOSECONDS.toMillis(waitedNanos),
                  turn.lane.name(),
                  TimeUnit.NANOSECONDS.toMillis(silentNanos)));
    }
  }
}
