package io.varve.coordinator.cluster;

import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.HeartbeatTimer;
import io.varve.control.LeaderErrors;
import io.varve.events.NodeHeartbeat;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heartbeats that a coordinator sends: with its roles until it stops, and without roles while
 * it answers its last requests.
 */
final class OwnHeartbeats implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OwnHeartbeats.class);

  private final LongSupplier leadingTerm;
  private final HeartbeatTimer timer = new HeartbeatTimer();
  private volatile @Nullable HeartbeatPublisher publisher;

  /**
   * @param leadingTerm as in {@link NodeHeartbeat}
   */
  OwnHeartbeats(LongSupplier leadingTerm) {
    this.leadingTerm = leadingTerm;
  }

  /** The address of this coordinator is known. Sends nothing yet. */
  void through(HeartbeatPublisher known) {
    publisher = known;
  }

  /** Sends a heartbeat at each interval, once the address is known. */
  void start(long everyMillis) {
    timer.start(this::beat, everyMillis);
  }

  /** Returns the heartbeat of this coordinator, as of now. */
  NodeHeartbeat current() {
    return known().heartbeat(leadingTerm.getAsLong());
  }

  private void beat() {
    try {
      known().beat(leadingTerm.getAsLong());
    } catch (RuntimeException e) {
      LOG.warn("sending a heartbeat failed", e);
    }
  }

  private HeartbeatPublisher known() {
    HeartbeatPublisher known = publisher;
    if (known == null) {
      throw LeaderErrors.unavailable("this coordinator is starting");
    }
    return known;
  }

  /** Later heartbeats name no roles. */
  void giveUpRoles() {
    HeartbeatPublisher known = publisher;
    publisher = known == null ? null : known.withoutRoles();
  }

  @Override
  public void close() {
    timer.close();
  }
}
