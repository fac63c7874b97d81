package io.varve.standalone.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import tools.jackson.databind.JsonNode;

/** Indexes a corpus with concurrent bulk requests; backs off when the server answers 429. */
final class BulkLoader {

  private static final int DOCUMENTS_PER_BULK = 1000;
  private static final int CONCURRENT_BULKS = 4;
  private static final int MAX_ATTEMPTS = 12;
  private static final long INITIAL_BACK_OFF_MILLIS = 50;

  /** Waits before a bulk is retried. */
  interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  private final RestCalls rest;
  private final String index;
  private final Pause pause;
  private final AtomicLong acked = new AtomicLong();
  private final Semaphore permits = new Semaphore(CONCURRENT_BULKS);
  private final List<Future<?>> sent = new ArrayList<>();
  private final StringBuilder pending = new StringBuilder();
  private int pendingDocuments;

  BulkLoader(RestCalls rest, String index) {
    this(rest, index, Thread::sleep);
  }

  BulkLoader(RestCalls rest, String index, Pause pause) {
    this.rest = rest;
    this.index = index;
    this.pause = pause;
  }

  /** Loads the whole corpus and returns the number of acked documents. */
  long load(Corpus corpus, LongConsumer progress) throws IOException, InterruptedException {
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      corpus.forEach(document -> add(document, senders, progress));
      flush(senders, progress);
      for (Future<?> bulk : sent) {
        bulk.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a bulk failed: " + e.getCause().getMessage(), e);
    }
    return acked.get();
  }

  private void add(String document, ExecutorService senders, LongConsumer progress) {
    pending.append("{\"index\":{}}\n").append(document).append('\n');
    if (++pendingDocuments == DOCUMENTS_PER_BULK) {
      flush(senders, progress);
    }
  }

  private void flush(ExecutorService senders, LongConsumer progress) {
    if (pendingDocuments == 0) {
      return;
    }
    byte[] body = pending.toString().getBytes(UTF_8);
    int documents = pendingDocuments;
    pending.setLength(0);
    pendingDocuments = 0;
    permits.acquireUninterruptibly();
    sent.add(
        senders.submit(() -> {
          try {
            send(body);
            progress.accept(acked.addAndGet(documents));
            return null;
          } finally {
            permits.release();
          }
        }));
  }

  private void send(byte[] body) throws IOException, InterruptedException {
    long backOffMillis = INITIAL_BACK_OFF_MILLIS;
    byte[] remaining = body;
    for (int attempt = 1; ; attempt++) {
      RestCalls.Answer answer =
          rest.call("POST", "/" + index + "/_bulk", "application/x-ndjson", remaining);
      if (answer.status() == 200) {
        remaining = rejected(remaining, answer.json());
        if (remaining.length == 0) {
          return;
        }
      }
      if (attempt == MAX_ATTEMPTS || (answer.status() != 429 && answer.status() != 200)) {
        answer.orThrow();
        throw new IOException("still rejected after " + MAX_ATTEMPTS + " tries");
      }
      pause.millis(backOffMillis);
      backOffMillis *= 2;
    }
  }

  /** Returns the actions of a bulk that were rejected with 429; only these are retried. */
  private static byte[] rejected(byte[] sent, JsonNode answer) throws IOException {
    if (!answer.path("errors").asBoolean(true)) {
      return new byte[0];
    }
    String[] lines = new String(sent, UTF_8).split("\n");
    StringBuilder again = new StringBuilder();
    int line = 0;
    for (JsonNode item : answer.path("items")) {
      JsonNode outcome = item.path("index");
      if (outcome.path("status").asInt(0) == 429) {
        again.append(lines[line]).append('\n').append(lines[line + 1]).append('\n');
      } else if (outcome.has("error")) {
        throw new IOException("a document was rejected: " + outcome.path("error"));
      }
      line += 2;
    }
    return again.toString().getBytes(UTF_8);
  }
}
