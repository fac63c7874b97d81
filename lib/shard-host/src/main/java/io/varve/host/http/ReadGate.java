package io.varve.host.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.engine.EngineException;
import io.varve.host.ShardCopy;
import io.varve.log.OffsetWatcher;
import io.varve.metrics.Metric;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import jakarta.servlet.http.HttpServletRequest;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the endpoints that read a copy: admits a read once the copy shows what the read's {@link
 * ReadDemand} requires, and answers 504 if that does not happen in time. Waits are ended by events,
 * never by polling.
 *
 * <p>A copy that does not serve, for example because a new process is still opening it while a
 * coordinator considers it started, refuses immediately (503), so that the coordinator asks another
 * copy.
 *
 * <p>A primary that takes over answers searches from the view of its replica, if that satisfies the
 * demand. It refuses gets, searches that demand more, and searches that demand a bound of
 * staleness.
 *
 * <p>An OPENED copy must show what all others show. Otherwise the read is sent to another copy
 * (503), as it is when the remote files cannot be read at the moment. Such a copy opens no scroll
 * or point in time, because that would hold files on another node for its whole lifetime.
 *
 * <p>A read of refreshed operations first ends the idleness of the copy, see {@link
 * ShardCopy#searchBegins}.
 *
 * <p>A realtime get sees applied operations, so it waits until the demanded one is applied; a
 * search sees only refreshed operations.
 */
public final class ReadGate {

  private static final Logger LOG = LoggerFactory.getLogger(ReadGate.class);

  /** Names an open scroll or point in time, whose reads always show the same state. */
  private static final String CONTEXT = "Varve-Context";

  private static final Set<String> DOCUMENTS = Set.of("GET docs", "POST docs");

  private static final Set<String> SEARCHES =
      Set.of("POST search", "POST can-match", "POST search-statistics");

  private static final Set<String> OPENINGS = Set.of("POST scroll", "POST open-reader");

  /** The wait of a realtime get of a strongly consistent index if the request sets none. */
  private static final long STRONG_WAIT_MILLIS = 5_000;

  /** Time to read and open the published manifests. */
  private static final Duration UNTIL_OPENED = Duration.ofSeconds(2);

  static final Metric WAITS =
      Metric.timer(
          "varve.read.wait",
          "Reads that waited until the copy satisfied their promise (`seq_no`, `staleness`,"
              + " `log_end`; `shown`, `timeout`, `failed`); reads that did not wait are not"
              + " counted",
          "kind",
          "outcome");

  private final MeterRegistry meters;
  private final LongSupplier nanos;
  private final Duration untilOpened;

  /**
   * @param nanos a monotonic clock
   */
  public ReadGate(MeterRegistry meters, LongSupplier nanos) {
    this(meters, nanos, UNTIL_OPENED);
  }

  /**
   * @param untilOpened the time that a read waits until an OPENED copy shows what others show
   */
  public ReadGate(MeterRegistry meters, LongSupplier nanos, Duration untilOpened) {
    this.meters = meters;
    this.nanos = nanos;
    this.untilOpened = untilOpened;
  }

  /** Returns the endpoints with this gate in front of those that read. */
  public Map<String, ShardEndpoint> before(Map<String, ShardEndpoint> endpoints) {
    Map<String, ShardEndpoint> guarded = new LinkedHashMap<>(endpoints);
    guarded.replaceAll((name, endpoint) ->
        DOCUMENTS.contains(name) || SEARCHES.contains(name) || OPENINGS.contains(name)
            ? behind(name, endpoint)
            : endpoint);
    return guarded;
  }

  private ShardEndpoint behind(String name, ShardEndpoint endpoint) {
    boolean documents = DOCUMENTS.contains(name);
    boolean mayBeOpen = !OPENINGS.contains(name);
    return (copy, rest, request, response) -> {
      boolean distant = copy.state() == ShardCopy.State.OPENED;
      boolean ofNow = !mayBeOpen || request.getHeader(CONTEXT) == null;
      if (distant && !(mayBeOpen && showsNewest(copy))) {
        throw elsewhere(copy, "does not show yet what others show");
      }
      boolean before = !documents && ofNow && !copy.serves() && showedBefore(copy, request);
      if (!distant && ofNow && !copy.serves() && !before) {
        throw notStarted(copy);
      }
      if (ofNow && !before) {
        boolean realtime = documents && !"false".equals(request.getParameter("realtime"));
        if (!realtime) {
          copy.searchBegins();
        }
        pass(copy, demand(copy, request, realtime), realtime);
      }
      try {
        endpoint.handle(copy, rest, request, response);
      } catch (UncheckedIOException | EngineException e) {
        throw distant ? elsewhere(copy, String.valueOf(e.getMessage())) : e;
      }
    };
  }

  /**
   * The read demand of a request. A realtime get of a strongly consistent index always demands the
   * end of the log, because the request may reach a former primary that does not know of its
   * successor.
   */
  static ReadDemand demand(ShardCopy copy, HttpServletRequest request, boolean realtime) {
    ReadDemand asked = ReadDemand.of(request::getHeader);
    return realtime && copy.strong()
        ? asked.ofAll().waiting(asked.waitMillis() == 0 ? STRONG_WAIT_MILLIS : asked.waitMillis())
        : asked;
  }

  /** Whether what the copy showed before it took over satisfies the demand. */
  private static boolean showedBefore(ShardCopy copy, HttpServletRequest request) {
    ReadDemand demand = ReadDemand.of(request::getHeader);
    OptionalLong shown = copy.shownBefore();
    return demand.maxStalenessMillis() < 0
        && shown.isPresent()
        && shown.getAsLong() >= demand.seqNo();
  }

  private boolean showsNewest(ShardCopy copy) throws InterruptedException {
    try {
      return copy.showsNewest(untilOpened);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      LOG.info("{} does not know what other copies show", copy.shard(), e);
      return false;
    }
  }

  private static ApiException notStarted(ShardCopy copy) {
    return new ApiException(
        503,
        ReadDemand.NOT_STARTED_TYPE,
        "copy %s of %s is %s and shows up to seq_no %d: ask another copy"
            .formatted(copy.copyId(), copy.shard(), copy.state(), copy.visible().current()));
  }

  private static ApiException elsewhere(ShardCopy copy, String reason) {
    return new ApiException(
        503,
        "no_shard_available_action_exception",
        "copy " + copy.copyId() + " of " + copy.shard() + " is " + copy.state() + ": " + reason);
  }

  /** Returns when the copy shows what is demanded; throws 504 if that does not happen in time. */
  public void pass(ShardCopy copy, ReadDemand demand, boolean realtime)
      throws InterruptedException {
    if (demand.isNone()) {
      return;
    }
    long deadline = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(demand.waitMillis());
    OffsetWatcher shown = realtime ? copy.readable() : copy.visible();
    if (demand.seqNo() >= 0) {
      await(copy, demand, shown, demand.seqNo(), deadline);
    }
    if (demand.maxStalenessMillis() >= 0) {
      if (realtime) {
        long seqNo = result("log_end", copy, demand, copy.logEnd().newest(), deadline);
        await(copy, demand, shown, seqNo, deadline);
      } else {
        CompletableFuture<Boolean> fresh =
            copy.freshness().within(TimeUnit.MILLISECONDS.toNanos(demand.maxStalenessMillis()));
        if (!result("staleness", copy, demand, fresh, deadline)) {
          throw new ApiException(late(copy, demand, shown, demand.seqNo()));
        }
      }
    }
  }

  private void await(
      ShardCopy copy, ReadDemand demand, OffsetWatcher shown, long seqNo, long deadline)
      throws InterruptedException {
    CompletableFuture<Boolean> reached = shown.reached(seqNo);
    boolean isKnown = isKnown(reached);
    try {
      if (!isKnown) {
        copy.want(seqNo, reached);
      }
      // A read that required a refresh counts as a wait, even if the refresh has already ended.
      if (!(isKnown ? reached.join() : awaited("seq_no", copy, demand, reached, deadline))) {
        throw new ApiException(late(copy, demand, shown, seqNo));
      }
    } finally {
      // The seq_no may never become visible.
      shown.forget(reached);
    }
  }

  private <T> T result(
      String kind, ShardCopy copy, ReadDemand demand, CompletableFuture<T> future, long deadline)
      throws InterruptedException {
    return isKnown(future) ? future.join() : awaited(kind, copy, demand, future, deadline);
  }

  private static boolean isKnown(CompletableFuture<?> future) {
    return future.isDone() && !future.isCompletedExceptionally();
  }

  private <T> T awaited(
      String kind, ShardCopy copy, ReadDemand demand, CompletableFuture<T> future, long deadline)
      throws InterruptedException {
    long began = nanos.getAsLong();
    String outcome = "failed";
    try {
      // Others may wait for the same future: the timeout ends only this wait.
      T result = future.copy().get(Math.max(0, deadline - began), TimeUnit.NANOSECONDS);
      outcome = "shown";
      return result;
    } catch (TimeoutException e) {
      outcome = "timeout";
      throw new ApiException(late(copy, demand, copy.visible(), demand.seqNo()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      WAITS.timer(meters, kind, outcome).record(nanos.getAsLong() - began, TimeUnit.NANOSECONDS);
    }
  }

  /** The answer to a wait for {@code demand.seqNo()} that timed out. */
  public static ErrorBody late(ShardCopy copy, ReadDemand demand) {
    return late(copy, demand, copy.visible(), demand.seqNo());
  }

  private static ErrorBody late(
      ShardCopy copy, ReadDemand demand, OffsetWatcher shown, long wantedSeqNo) {
    long current = shown.current();
    String wanted =
        wantedSeqNo > current
            ? "seq_no " + wantedSeqNo
            : demand.maxStalenessMillis() == 0
                ? "the end of the log"
                : "all that is older than " + demand.maxStalenessMillis() + " ms";
    ErrorBody error =
        ErrorBody.of(
                504,
                ReadDemand.TIMEOUT_TYPE,
                copy.shard() + " shows up to seq_no " + current + ", not " + wanted)
            .with("visible_seq_no", current);
    return wantedSeqNo > current ? error.with("wanted_seq_no", wantedSeqNo) : error;
  }
}
