package io.varve.host;

import io.varve.cluster.HeartbeatPublisher;
import io.varve.events.NodeHeartbeat;
import io.varve.process.EssentialThreads;
import io.varve.process.Sleeper;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes heartbeats with the node's current statistics at a fixed interval.
 *
 * <p>The thread is a platform thread. A virtual one would wait for a processor behind the refreshes
 * and requests of all copies: on a busy node with hundreds of shards longer than the node timeout,
 * and the removal of the node would make it open all of them again.
 */
public final class Heartbeats implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);
  private static final String NAME = "heartbeat";

  private final HeartbeatPublisher publisher;
  private final long everyMillis;
  private final Sleeper sleeper;
  private final AtomicBoolean silent = new AtomicBoolean();
  private final Thread thread;

  /** {@code url} is the address of this node's HTTP endpoints. */
  public Heartbeats(NodeContext node, String url, Sleeper sleeper) {
    this.sleeper = sleeper;
    this.everyMillis = node.settings().heartbeatMillis();
    this.publisher =
        new HeartbeatPublisher(
            node.log(),
            node.topics(),
            node.identity(),
            url,
            node.settings().data(),
            node.clock(),
            this::notHeard);
    this.thread =
        Thread.ofPlatform()
            .name(NAME)
            .daemon()
            .unstarted(EssentialThreads.ofThisProcess().body(NAME, this::run));
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      EssentialThreads.ofThisProcess().step(NAME, this::beat);
      sleeper.sleep(TimeUnit.MILLISECONDS.toNanos(everyMillis));
    }
    LOG.debug("heartbeats have stopped");
  }

  private void beat() {
    try {
      publisher.beat(0);
    } catch (RuntimeException e) {
      notHeard(e.toString());
    }
  }

  /** Logged once: other components report the state of the log. */
  private void notHeard(String reason) {
    if (silent.compareAndSet(false, true)) {
      LOG.warn("the log does not accept heartbeats: {}", reason);
    }
  }

  /** The heartbeat to publish now. */
  public NodeHeartbeat current() {
    return publisher.heartbeat(0);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
