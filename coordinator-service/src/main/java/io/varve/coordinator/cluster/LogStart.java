package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.Topics;
import io.varve.control.ChangeAcknowledgement;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first calls of a coordinator to the log, each repeated until it succeeds: topics are created,
 * and the cluster log is read up to its end at that time and up to this coordinator's own join.
 */
final class LogStart implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogStart.class);
  private static final long RETRY_MILLIS = 500;

  private final MessageLog log;
  private final Topics topics;
  private final BooleanSupplier lost;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** A call of the log that may be repeated. */
  interface LogCall {
    void run() throws LogException;
  }

  /**
   * @param lost whether the coordinator can't read the cluster log
   */
  LogStart(MessageLog log, Topics topics, BooleanSupplier lost) {
    this.log = log;
    this.topics = topics;
    this.lost = lost;
  }

  void createTopics() throws InterruptedException {
    retried(
        "create topics",
        () ->
            log.createTopics(
                List.of(topics.clusterLogSpec(), topics.nodesSpec(), topics.progressSpec())));
  }

  void awaitEnd(PartitionLog clusterLog, ClusterView view) throws InterruptedException {
    long[] end = {0};
    retried("find the end of the cluster log", () -> end[0] = clusterLog.endOffset());
    while (!view.position().await(end[0], Duration.ofMinutes(1))) {
      if (lost.getAsBoolean()) {
        throw new InterruptedException("the cluster log can't be read");
      }
      endIfClosed(0);
      LOG.warn(
          "read the cluster log up to offset {} of {}, still waiting",
          view.position().current(),
          end[0]);
    }
  }

  /** Waits until this process may serve requests, see {@link ChangeAcknowledgement#mayServe}. */
  void awaitJoin(ClusterView view, NodeIdentity identity) throws InterruptedException {
    while (view.await(
            state ->
                ChangeAcknowledgement.mayServe(state, identity.nodeId(), identity.incarnation()),
            Duration.ofMinutes(1))
        .isEmpty()) {
      if (lost.getAsBoolean()) {
        throw new InterruptedException("the cluster log can't be read");
      }
      endIfClosed(0);
      LOG.warn("this coordinator is not a member of the cluster yet, still waiting");
    }
  }

  /**
   * @param what names the call in a warning
   */
  void retried(String what, LogCall call) throws InterruptedException {
    while (true) {
      try {
        call.run();
        return;
      } catch (LogException e) {
        LOG.warn("failed to {}, retrying: {}", what, e.getMessage());
        endIfClosed(RETRY_MILLIS);
      }
    }
  }

  private void endIfClosed(long waitMillis) throws InterruptedException {
    if (closed.await(waitMillis, TimeUnit.MILLISECONDS)) {
      throw new InterruptedException("closed");
    }
  }

  /** Ends the calls that are repeated. */
  @Override
  public void close() {
    closed.countDown();
  }
}
