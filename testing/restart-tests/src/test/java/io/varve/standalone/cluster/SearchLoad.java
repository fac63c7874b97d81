package io.varve.standalone.cluster;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Clients that count the documents of an index, with pauses that leave the processors to the
 * cluster. An answer is complete if all shards answered and at least the documents are counted that
 * were visible when the load began.
 */
final class SearchLoad implements AutoCloseable {

  private static final int CLIENTS = 3;
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Sends a request. */
  interface Caller {
    RestCalls.Answer get(String path) throws IOException;
  }

  private final Caller caller;
  private final String path;
  private final int atLeast;
  private final AtomicInteger complete = new AtomicInteger();
  private final Queue<String> incomplete = new ConcurrentLinkedQueue<>();
  private final List<Thread> clients = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * @param atLeast the documents that each search must count
   */
  SearchLoad(Caller caller, String index, int atLeast) {
    this.caller = caller;
    this.path = "/" + index + "/_search?size=0&track_total_hits=true&request_cache=false";
    this.atLeast = atLeast;
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofVirtual().name("searches-" + i).start(this::run));
    }
  }

  private void run() {
    while (!stopped) {
      try {
        RestCalls.Answer answer = caller.get(path);
        if (isComplete(answer)) {
          complete.incrementAndGet();
        } else {
          incomplete.add(answer.text());
        }
      } catch (IOException | JacksonException e) {
        incomplete.add(e.toString());
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean isComplete(RestCalls.Answer answer) {
    JsonNode json = answer.json();
    return answer.status() == 200
        && json.at("/_shards/failed").asInt(-1) == 0
        && json.at("/_shards/successful").asInt(-1) == json.at("/_shards/total").asInt()
        && json.at("/hits/total/value").asInt(-1) >= atLeast;
  }

  /** Waits for that many more complete answers. */
  void awaitMore(int count) {
    int wanted = complete.get() + count;
    Awaitility.await().atMost(TestIndex.SOON).until(() -> complete.get() >= wanted);
  }

  int complete() {
    return complete.get();
  }

  /** The answers that were not complete, and the failures. */
  List<String> incomplete() {
    return List.copyOf(incomplete);
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    for (Thread client : clients) {
      client.join();
    }
  }
}
