package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that send bulks as fast as the cluster accepts them, until this object is closed. Each
 * document has an id of its own. Documents that are not acked are not sent again. The clients are
 * distributed over the coordinators.
 */
final class SaturatingClients implements AutoCloseable {

  private static final int DOCUMENTS_PER_BULK = 1000;
  private static final int DISTINCT_DOCUMENTS = 20_000;
  private static final long RETRY_DELAY_NANOS = 50_000_000;

  /** Returns documents to send, each as a line of JSON. */
  static List<byte[]> documents(Shape shape) {
    List<byte[]> lines = new ArrayList<>();
    for (int i = 0; i < DISTINCT_DOCUMENTS; i++) {
      lines.add((shape.document(i) + "\n").getBytes(UTF_8));
    }
    return lines;
  }

  private final MeasuredServer server;
  private final String path;
  private final List<byte[]> documents;
  private final LoadClock clock;
  private final BulkOutcomes outcomes;
  private final AtomicLong nextBulk = new AtomicLong();
  private final AtomicInteger nextCoordinator = new AtomicInteger();
  private final FutureTask<Void> clients;
  private volatile boolean stopped;

  /** Starts the clients. */
  SaturatingClients(
      MeasuredServer server, String index, List<byte[]> documents, int clients, LoadClock clock) {
    this.server = server;
    this.path = "/" + index + "/_bulk";
    this.documents = documents;
    this.clock = clock;
    this.outcomes = new BulkOutcomes(clock);
    this.clients =
        new FutureTask<>(() -> {
          ParallelClients.run(clients, this::client);
          return null;
        });
    Thread.ofPlatform().name("saturating-clients").start(this.clients);
  }

  BulkOutcomes outcomes() {
    return outcomes;
  }

  private Void client() throws InterruptedException {
    List<String> urls = server.coordinators();
    String url = urls.get(nextCoordinator.getAndIncrement() % urls.size());
    while (!stopped) {
      try (HttpConnection connection = new HttpConnection(url, server.access())) {
        send(connection);
      } catch (IOException e) {
        System.err.println("bench: connecting again: " + e.getMessage());
        clock.sleepNanos(RETRY_DELAY_NANOS);
      }
    }
    return null;
  }

  private void send(HttpConnection connection) throws IOException, InterruptedException {
    while (!stopped) {
      long bulk = nextBulk.getAndIncrement();
      List<String> ids = ids(bulk);
      HttpConnection.Answer answer;
      try {
        answer = connection.call("POST", path, "application/x-ndjson", body(bulk, ids));
      } catch (IOException e) {
        outcomes.unanswered(ids);
        throw e;
      }
      if (!outcomes.answered(ids, answer)) {
        System.err.println("bench: " + BulkRun.firstError(answer.text()));
        clock.sleepNanos(RETRY_DELAY_NANOS);
      }
    }
  }

  private static List<String> ids(long bulk) {
    List<String> ids = new ArrayList<>(DOCUMENTS_PER_BULK);
    for (int i = 0; i < DOCUMENTS_PER_BULK; i++) {
      ids.add(bulk + "-" + i);
    }
    return ids;
  }

  private byte[] body(long bulk, List<String> ids) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int i = 0; i < ids.size(); i++) {
      body.writeBytes(("{\"index\":{\"_id\":\"" + ids.get(i) + "\"}}\n").getBytes(UTF_8));
      body.writeBytes(documents.get((int) ((bulk * ids.size() + i) % documents.size())));
    }
    return body.toByteArray();
  }

  /** Stops the clients, and returns when all bulks have been answered. */
  @Override
  public void close() throws IOException, InterruptedException {
    stopped = true;
    try {
      clients.get();
    } catch (ExecutionException e) {
      throw new IOException("the clients failed: " + e.getCause().getMessage(), e);
    }
    outcomes.ended();
  }
}
