package io.varve.host;

import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.HeartbeatTimer;
import io.varve.events.NodeHeartbeat;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes heartbeats with the node's current statistics at a fixed interval. */
public final class Heartbeats implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

  private final HeartbeatPublisher publisher;
  private final long everyMillis;
  private final AtomicBoolean silent = new AtomicBoolean();
  private final HeartbeatTimer timer = new HeartbeatTimer();

  /** {@code url} is the address of this node's HTTP endpoints. */
  public Heartbeats(NodeContext node, String url) {
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
  }

  public void start() {
    timer.start(this::beat, everyMillis);
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
    timer.close();
  }
}
