package io.varve.node.replica;

import io.varve.events.Manifest;
import io.varve.node.CopyContext;
import io.varve.store.SourceGoneException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the files of one manifest where they are, at the node that published it, while they are
 * copied. It ends by itself some time after the last {@link #renew}; {@link #close} ends it at
 * once.
 */
final class SnapshotLease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotLease.class);

  private final HttpClient http;
  private final HttpRequest.Builder request;
  private final long renewAfterMillis;
  private final AtomicLong renewedMillis;

  private SnapshotLease(
      HttpClient http, HttpRequest.Builder request, long renewAfterMillis, long nowMillis) {
    this.http = http;
    this.request = request;
    this.renewAfterMillis = renewAfterMillis;
    this.renewedMillis = new AtomicLong(nowMillis);
  }

  /**
   * @throws SourceGoneException the manifest's files are not held there any more
   * @throws IOException the node can't be asked now
   */
  static SnapshotLease take(
      CopyContext context, String nodeUrl, Manifest manifest, Duration timeout) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create(
                    "%s/_internal/shards/%s/%d/snapshots/%d?copy=%s"
                        .formatted(
                            nodeUrl,
                            manifest.shard().indexUuid(),
                            manifest.shard().number(),
                            manifest.generation(),
                            URLEncoder.encode(context.copyId(), StandardCharsets.UTF_8))))
            .timeout(timeout);
    HttpClient http = context.node().http();
    HttpResponse<String> answer = send(http, request.copy().GET().build());
    return switch (answer.statusCode()) {
      case 200 ->
          new SnapshotLease(
              http,
              request,
              context.node().settings().snapshotLeaseMillis() / 3,
              context.node().clock().millis());
      case 404, 409, 410 ->
          throw new SourceGoneException(
              "generation " + manifest.generation() + " at " + nodeUrl + ": " + answer.body());
      default ->
          throw new IOException(
              nodeUrl + " answered " + answer.statusCode() + ": " + answer.body());
    };
  }

  private static HttpResponse<String> send(HttpClient http, HttpRequest request)
      throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /** Renews the lease if a good part of its time is over; doesn't wait for the answer. */
  void renew(long nowMillis) {
    long last = renewedMillis.get();
    if (nowMillis - last >= renewAfterMillis && renewedMillis.compareAndSet(last, nowMillis)) {
      sendAndLog(request.copy().GET().build());
    }
  }

  @Override
  public void close() {
    sendAndLog(request.copy().DELETE().build());
  }

  private void sendAndLog(HttpRequest next) {
    var _ =
        http.sendAsync(next, HttpResponse.BodyHandlers.discarding())
            .whenComplete((answer, failure) -> {
              if (failure != null) {
                LOG.debug("{} {}: {}", next.method(), next.uri(), failure.toString());
              } else if (answer.statusCode() != 200) {
                LOG.debug("{} {}: {}", next.method(), next.uri(), answer.statusCode());
              }
            });
  }
}
