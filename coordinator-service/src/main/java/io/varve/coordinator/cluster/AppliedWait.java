package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeInfo;
import io.varve.control.ChangeAcknowledgement;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the other coordinators have applied what this one has applied, of the cluster state
 * or of another state, as {@link ChangeAcknowledgement} decides. They are asked at the same time,
 * and each answers as soon as it has applied the version. The wait also ends when a coordinator
 * that does not answer is removed from the members, or this coordinator stops.
 */
public final class AppliedWait implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AppliedWait.class);

  /** Before a coordinator that could not answer is asked again, unless the state changes first. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** For the answer of a coordinator that applies the version just before the deadline. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** Requests to other coordinators for the version of one state. */
  public interface Requests {

    /**
     * Returns the version that the coordinator has applied, when it has reached {@code version} or
     * after the timeout. Blocks.
     */
    long appliedVersion(NodeInfo coordinator, long version, Duration timeout)
        throws IOException, InterruptedException;
  }

  private final String localNodeId;
  private final ClusterView view;
  private final Requests requests;
  private final ExecutorService blocking;
  private final Ticker ticker;
  private final Set<Round> rounds = ConcurrentHashMap.newKeySet();
  private volatile boolean ending;

  AppliedWait(
      String localNodeId,
      ClusterView view,
      Requests requests,
      ExecutorService blocking,
      Ticker ticker) {
    this.localNodeId = localNodeId;
    this.view = view;
    this.requests = requests;
    this.blocking = blocking;
    this.ticker = ticker;
  }

  /** Waits; returns false if a coordinator has not applied the present cluster state in time. */
  public boolean await(Duration timeout) throws InterruptedException {
    long version = view.current().version();
    return await(requests, version, new ChangeAcknowledgement(localNodeId, version), timeout);
  }

  /**
   * Waits for a version of another state. This coordinator must have applied a cluster state that
   * was current after that version was made, see {@link CurrentState}.
   *
   * @param state asks for the version of that state
   */
  public boolean await(Requests state, long version, Duration timeout) throws InterruptedException {
    long membersVersion = view.current().version();
    return await(
        state, version, new ChangeAcknowledgement(localNodeId, version, membersVersion), timeout);
  }

  private boolean await(
      Requests state, long version, ChangeAcknowledgement change, Duration timeout)
      throws InterruptedException {
    boolean isApplied = change.open(view.current()).isEmpty();
    if (isApplied || ending) {
      return isApplied;
    }
    try (Round round = new Round(state, version, change, Deadline.in(timeout, ticker))) {
      return round.await();
    }
  }

  /**
   * This coordinator stops: waits end, and others do not begin, so that their changes are answered.
   */
  void end() {
    ending = true;
    rounds.forEach(Round::end);
  }

  /** Ends the requests that are in flight. */
  @Override
  public void close() {
    blocking.shutdownNow();
  }

  /** One wait. Its state is used by the waiting thread alone; other threads add to the news. */
  private final class Round implements AutoCloseable {

    private final Requests state;
    private final long version;
    private final ChangeAcknowledgement change;
    private final Deadline deadline;
    private final BlockingQueue<Runnable> news = new LinkedBlockingQueue<>();
    private final Map<String, Future<?>> asked = new HashMap<>();
    private final Set<String> failed = new HashSet<>();
    private final ClusterView.Registration registration;

    Round(Requests state, long version, ChangeAcknowledgement change, Deadline deadline) {
      this.state = state;
      this.version = version;
      this.change = change;
      this.deadline = deadline;
      this.registration = view.listen(_ -> news.add(failed::clear));
      rounds.add(this);
    }

    void end() {
      news.add(() -> {});
    }

    boolean await() throws InterruptedException {
      while (true) {
        var open = change.open(view.current());
        if (open.isEmpty() || ending || deadline.isOver()) {
          return open.isEmpty();
        }
        open.forEach(this::ask);
        Runnable next =
            news.poll(
                failed.isEmpty() ? deadline.left().toNanos() : deadline.leftUpTo(PAUSE).toNanos(),
                TimeUnit.NANOSECONDS);
        if (next == null) {
          failed.clear();
        } else {
          next.run();
        }
      }
    }

    private void ask(NodeInfo coordinator) {
      String incarnation = coordinator.incarnation();
      if (!asked.containsKey(incarnation) && !failed.contains(incarnation)) {
        asked.put(incarnation, blocking.submit(() -> request(coordinator)));
      }
    }

    /** Runs on a thread of its own. */
    private void request(NodeInfo coordinator) {
      try {
        long applied = state.appliedVersion(coordinator, version, deadline.left().plus(GRACE));
        news.add(() -> answered(coordinator, applied));
      } catch (IOException | RuntimeException e) {
        LOG.debug("{} did not answer whether it has applied {}", coordinator.name(), version, e);
        news.add(() -> failed(coordinator));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void answered(NodeInfo coordinator, long applied) {
      if (!change.answered(coordinator, applied)) {
        failed(coordinator);
      }
    }

    private void failed(NodeInfo coordinator) {
      asked.remove(coordinator.incarnation());
      failed.add(coordinator.incarnation());
    }

    @Override
    public void close() {
      rounds.remove(this);
      registration.close();
      asked.values().forEach(request -> request.cancel(true));
    }
  }
}
