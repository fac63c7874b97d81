package io.varve.coordinator.cluster;

import io.varve.control.AddressProof;
import io.varve.events.NodeHeartbeat;
import io.varve.process.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the node in a heartbeat with the certificate at its address. For each pair of both:
 *
 * <pre>
 *   NEW        heartbeats do not count; the address is asked
 *   PROVEN     heartbeats count; the address is asked again every minute. If it does not answer it
 *              stays proven, because a node may be late or stopped
 *   DISPROVEN  another node, or none, answered: heartbeats do not count; asked again after 2 s
 * </pre>
 *
 * All addresses are asked again when certificates have changed: one of them may be revoked.
 *
 * <p>A forged heartbeat therefore does not affect the genuine heartbeats of its node. If there are
 * too many pairs, the least recently seen one is removed.
 */
final class ProvenAddresses implements AddressProof {

  private static final Logger LOG = LoggerFactory.getLogger(ProvenAddresses.class);
  private static final long RETRY_NANOS = Duration.ofSeconds(2).toNanos();
  private static final long PROVEN_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MAX_PAIRS = 10_000;
  private static final int MAX_ASKING = 16;

  /** The id of the node at an address. */
  interface NodeAt {
    Optional<String> ask(String url) throws IOException;
  }

  private record Pair(String nodeId, String url) {}

  /** The state of a pair. */
  private static final class Known {
    boolean proven;
    boolean asking;
    boolean warned;
    long dueNanos;

    Known(long dueNanos) {
      this.dueNanos = dueNanos;
    }
  }

  private final NodeAt nodes;
  private final Executor blocking;
  private final Ticker clock;
  private final LongSupplier generations;
  private long generation;
  private final Semaphore asking = new Semaphore(MAX_ASKING);
  private final Map<Pair, Known> pairs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Pair, Known> eldest) {
          return size() > MAX_PAIRS;
        }
      };

  /**
   * @param generations changes with the certificates of this process and the revoked ones
   */
  ProvenAddresses(NodeAt nodes, Executor blocking, Ticker clock, LongSupplier generations) {
    this.nodes = nodes;
    this.blocking = blocking;
    this.clock = clock;
    this.generations = generations;
    this.generation = generations.getAsLong();
  }

  @Override
  public synchronized boolean isProven(NodeHeartbeat beat, Runnable later) {
    long now = clock.nanos();
    long current = generations.getAsLong();
    if (current != generation) {
      generation = current;
      pairs.values().forEach(known -> known.dueNanos = now);
    }
    Pair pair = new Pair(beat.nodeId(), beat.url());
    Known known = pairs.computeIfAbsent(pair, _ -> new Known(now));
    if (!known.asking && now - known.dueNanos >= 0 && asking.tryAcquire()) {
      known.asking = true;
      blocking.execute(() -> ask(pair, known, later));
    }
    return known.proven;
  }

  private void ask(Pair pair, Known known, Runnable later) {
    boolean matches = false;
    boolean isNew = false;
    try {
      String found = nodes.ask(pair.url()).orElse("");
      matches = found.equals(pair.nodeId());
      isNew = answered(pair, known, found);
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("{} does not show a certificate of the cluster", pair.url(), e);
    } finally {
      asking.release();
      again(known, matches ? PROVEN_NANOS : RETRY_NANOS);
    }
    if (isNew) {
      later.run();
    }
  }

  /** Returns whether the address is proven now and was not before. */
  private synchronized boolean answered(Pair pair, Known known, String found) {
    boolean before = known.proven;
    known.proven = found.equals(pair.nodeId());
    if (!known.proven && !known.warned) {
      known.warned = true;
      LOG.warn(
          "a heartbeat of the node [{}] names the address {}, where the certificate is that of"
              + " [{}]: the heartbeat is ignored",
          pair.nodeId(),
          pair.url(),
          found);
    }
    return known.proven && !before;
  }

  private synchronized void again(Known known, long afterNanos) {
    known.asking = false;
    known.dueNanos = clock.nanos() + afterNanos;
  }
}
