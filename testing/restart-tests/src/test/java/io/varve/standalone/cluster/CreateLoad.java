package io.varve.standalone.cluster;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import tools.jackson.core.JacksonException;

/**
 * Creates the documents {@code d0}, {@code d1}, … of an index, one after the other, with pauses
 * that leave the processors to the cluster. The outcomes of a request:
 *
 * <pre>
 *   201                    acked
 *   no answer              unknown: it is repeated, and may then be a 409, which is an ack
 *   any other answer       refused: the load ends
 * </pre>
 */
final class CreateLoad implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(30);

  private final LoadBalancer balancer;
  private final String index;
  private final AtomicInteger acked;
  private final AtomicInteger unknown = new AtomicInteger();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean stopped;

  /**
   * @param from the number of the first document
   */
  CreateLoad(LoadBalancer balancer, String index, int from) {
    this.balancer = balancer;
    this.index = index;
    this.acked = new AtomicInteger(from);
    this.thread = Thread.ofVirtual().name("creates-" + index).start(this::run);
  }

  private void run() {
    boolean repeated = false;
    while (!stopped && refused.isEmpty()) {
      int n = acked.get();
      try {
        RestCalls.Answer answer =
            balancer.call(
                "PUT", "/" + index + "/_create/d" + n + "?timeout=4m", "{\"n\":" + n + "}");
        if (answer.status() == 201 || (repeated && answer.status() == 409)) {
          acked.incrementAndGet();
          repeated = false;
        } else {
          refused.add("d" + n + ": " + answer.status() + " " + answer.text());
        }
      } catch (IOException | JacksonException e) {
        unknown.incrementAndGet();
        repeated = true;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Waits for that many more acks. */
  void awaitMore(int count) {
    int wanted = acked.get() + count;
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .until(() -> acked.get() >= wanted || !refused.isEmpty());
  }

  /** All documents with a lower number are acked. */
  int acked() {
    return acked.get();
  }

  int unknown() {
    return unknown.get();
  }

  List<String> refused() {
    return List.copyOf(refused);
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}
