package io.varve.coordinator.console;

import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.Json;
import io.varve.process.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Sends pictures of the cluster to open consoles as server-sent events.
 *
 * <pre>
 *   when     the cluster state changes, or {@link #INTERVAL} after the last picture; at least
 *            {@link #MIN_GAP} apart
 *   shared   streams that are due within {@link #MIN_GAP} get the same picture
 * </pre>
 *
 * <p>Each stream has a virtual thread, so a slow client does not delay other clients. Without
 * streams, no picture is computed.
 */
final class PictureStreams implements AutoCloseable {

  static final Duration INTERVAL = Duration.ofSeconds(1);
  static final Duration MIN_GAP = Duration.ofMillis(250);

  private static final Logger LOG = LoggerFactory.getLogger(PictureStreams.class);

  /** Sends one event to a client. */
  @FunctionalInterface
  interface Client {
    void send(String json) throws IOException;
  }

  private record Drawn(long version, String json, long atNanos) {}

  private final ClusterAccess cluster;
  private final ClusterPainter painter;
  private final Ticker clock;
  private final Semaphore free;
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private Drawn last = new Drawn(-1, "", 0);

  PictureStreams(ClusterAccess cluster, ClusterPainter painter, int maxStreams) {
    this.cluster = cluster;
    this.painter = painter;
    this.clock = cluster.clock();
    this.free = new Semaphore(maxStreams);
  }

  /** Reserves a stream; false if there are as many as allowed, or if this is closed. */
  boolean reserve() {
    return closed.getCount() > 0 && free.tryAcquire();
  }

  /** Starts a stream that was reserved. It ends when its client disconnects or this is closed. */
  void start(ServerResponse.SseBuilder client) {
    Thread thread =
        Thread.ofVirtual()
            .name("console-stream")
            .unstarted(() -> {
              try {
                send(json -> client.event("picture").data(json));
                client.complete();
              } finally {
                threads.remove(Thread.currentThread());
                free.release();
              }
            });
    threads.add(thread);
    thread.start();
  }

  /** Sends pictures until the client disconnects or this is closed. */
  void send(Client client) {
    try {
      do {
        Drawn drawn = drawn();
        client.send(drawn.json());
        cluster.awaitVersion(drawn.version() + 1, INTERVAL);
      } while (!closed.await(MIN_GAP.toMillis(), TimeUnit.MILLISECONDS));
    } catch (IOException e) {
      LOG.debug("a console is closed: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Drawn drawn() {
    long now = clock.nanos();
    boolean stateIsShown = last.version() == cluster.state().version();
    if (!stateIsShown || now - last.atNanos() > MIN_GAP.toNanos()) {
      ClusterPicture picture = painter.paint();
      String json = new String(Json.write(picture), StandardCharsets.UTF_8);
      last = new Drawn(picture.version(), json, now);
    }
    return last;
  }

  @Override
  public void close() {
    closed.countDown();
    threads.forEach(Thread::interrupt);
  }
}
