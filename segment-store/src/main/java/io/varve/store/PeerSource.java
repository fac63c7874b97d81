package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Reads segment files from another node's copy, by ranges over HTTP. A range must be answered
 * within the time-out as a whole: a peer that stalls in the middle counts as one that broke off.
 */
public final class PeerSource implements SegmentSource {

  private final HttpClient http;
  private final String nodeUrl;
  private final ShardId shard;
  private final long generation;
  private final Duration timeout;

  /**
   * @param nodeUrl such as {@code http://127.0.0.1:9301}
   * @param generation the snapshot, held by a lease, that names the files
   */
  public PeerSource(
      HttpClient http, String nodeUrl, ShardId shard, long generation, Duration timeout) {
    this.http = http;
    this.nodeUrl = nodeUrl;
    this.shard = shard;
    this.generation = generation;
    this.timeout = timeout;
  }

  @Override
  public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(address(file))
            .timeout(timeout)
            .header("Range", "bytes=" + fromByte + "-" + (fromByte + length - 1))
            .GET()
            .build();
    HttpResponse<InputStream> response = send(request);
    int status = response.statusCode();
    boolean whole = status == 200 && fromByte == 0 && length == file.lengthBytes();
    if (status == 206 || whole) {
      return withDeadline(response.body());
    }
    try (InputStream body = response.body()) {
      String answer = new String(body.readNBytes(500), StandardCharsets.UTF_8);
      String message = nodeUrl + " answered " + status + " for " + file.name() + ": " + answer;
      throw status == 404 || status == 410
          ? new SourceGoneException(message)
          : new IOException(message);
    }
  }

  private URI address(SegmentFile file) {
    return URI.create(
        "%s/_internal/shards/%s/%d/files/%s?generation=%d"
            .formatted(
                nodeUrl,
                shard.indexUuid(),
                shard.number(),
                URLEncoder.encode(file.name(), StandardCharsets.UTF_8),
                generation));
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /** The client's own time-out ends with the headers; this one covers the body. */
  private InputStream withDeadline(InputStream body) {
    CompletableFuture<Void> deadline = new CompletableFuture<>();
    var _ =
        deadline
            .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete((nothing, late) -> {
              if (late != null) {
                closeLate(body);
              }
            });
    return new FilterInputStream(body) {
      @Override
      public void close() throws IOException {
        deadline.complete(null);
        super.close();
      }
    };
  }

  private static void closeLate(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      System.getLogger(PeerSource.class.getName())
          .log(System.Logger.Level.DEBUG, "closing a stalled answer failed", e);
    }
  }
}
