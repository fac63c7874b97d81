package io.varve.standalone.load;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;

/**
 * Indexes documents with concurrent bulk requests, under generated ids.
 *
 * <p>Only documents for which the server answered 429 are sent again, after a pause that doubles:
 * they are certainly not indexed. A refused document is counted, and the load continues. A request
 * that fails as a whole ends the load, because its documents may have been indexed, and would be
 * duplicated if they were sent again.
 */
public final class BulkLoader {

  private static final int MAX_ATTEMPTS = 12;
  private static final long INITIAL_BACK_OFF_MILLIS = 50;

  /** A bulk of this size is sent even if it has fewer documents than the settings require. */
  private static final long MAX_CHARACTERS = 8 << 20;

  private static final int BUSY = 429;

  /**
   * The settings of the bulk requests.
   *
   * @param connections bulk requests in flight
   * @param documentsPerBulk maximum number of documents in a request
   */
  public record Settings(String index, int connections, int documentsPerBulk) {
    public Settings {
      if (connections < 1 || documentsPerBulk < 1) {
        throw new IllegalArgumentException(
            "connections and documents of a bulk must be at least 1, were "
                + connections
                + " and "
                + documentsPerBulk);
      }
    }
  }

  /** Waits before a bulk is sent again. */
  public interface Pause {
    void millis(long millis) throws InterruptedException;
  }

  private final RestCalls rest;
  private final Settings settings;
  private final Pause pause;
  private final LoadTally tally = new LoadTally();
  private final Deque<Sent> sent = new ArrayDeque<>();
  private Bulk pending = new Bulk();

  /** A bulk request in flight. */
  private record Sent(Bulk bulk, Future<?> future) {}

  public BulkLoader(RestCalls rest, Settings settings) {
    this(rest, settings, Thread::sleep);
  }

  BulkLoader(RestCalls rest, Settings settings, Pause pause) {
    this.rest = rest;
    this.settings = settings;
    this.pause = pause;
  }

  /**
   * Loads all documents; returns when no outcome of a sent document is pending.
   *
   * @param progress receives the number of indexed documents
   * @throws IOException if the documents cannot be read
   */
  public LoadResult load(Documents documents, LongConsumer progress)
      throws IOException, InterruptedException {
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      try {
        documents.forEach((document, line) -> add(document, line, senders, progress));
        flush(senders, progress);
      } finally {
        while (!sent.isEmpty()) {
          await(sent.remove());
        }
      }
    }
    return tally.result();
  }

  /** The outcomes so far. */
  LoadResult soFar() {
    return tally.result();
  }

  private boolean add(String document, long line, ExecutorService senders, LongConsumer progress)
      throws InterruptedException {
    if (!document.startsWith("{")) {
      tally.refused(
          new LoadResult.Refusal(400, "not_an_object", "the line is not a JSON object", line, 1));
      return true;
    }
    pending.add(document, line);
    if (pending.size() == settings.documentsPerBulk() || pending.characters() >= MAX_CHARACTERS) {
      flush(senders, progress);
    }
    return !tally.isStopped();
  }

  private void flush(ExecutorService senders, LongConsumer progress) throws InterruptedException {
    if (sent.size() == settings.connections()) {
      await(sent.remove());
    }
    if (pending.size() == 0 || tally.isStopped()) {
      return;
    }
    Bulk bulk = pending;
    pending = new Bulk();
    sent.add(
        new Sent(
            bulk,
            senders.submit(() -> {
              send(bulk, progress);
              return null;
            })));
  }

  private void await(Sent one) throws InterruptedException {
    try {
      one.future().get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      tally.stopped(
          cause.getMessage() == null ? cause.toString() : cause.getMessage(), one.bulk().size());
    }
  }

  private void send(Bulk bulk, LongConsumer progress) throws IOException, InterruptedException {
    String path = "/" + URLEncoder.encode(settings.index(), StandardCharsets.UTF_8) + "/_bulk";
    long backOffMillis = INITIAL_BACK_OFF_MILLIS;
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      RestCalls.Answer answer = rest.call("POST", path, "application/x-ndjson", bulk.body());
      if (answer.status() == 200) {
        progress.accept(tally.acknowledged(bulk.settle(answer.json(), tally)));
        if (bulk.size() == 0) {
          return;
        }
      } else if (answer.status() != BUSY) {
        throw new IOException("status " + answer.status() + ": " + answer.text());
      }
      if (attempt < MAX_ATTEMPTS) {
        pause.millis(backOffMillis);
        backOffMillis *= 2;
      }
    }
    bulk.giveUp(MAX_ATTEMPTS, tally);
  }
}
