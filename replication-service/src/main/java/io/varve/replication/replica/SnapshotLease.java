package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.events.SnapshotId;
import io.varve.host.CopyContext;
import io.varve.host.http.SnapshotEndpoints;
import io.varve.store.SourceGoneException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prevents the files of one manifest from being deleted on a node that has them, while they are
 * copied. It expires some time after the last {@link #renew}; {@link #close} releases it, and a
 * renewal that arrives later is refused. INVARIANT: no two leases have the same name, so that the
 * release of one does not end another on the same manifest.
 */
final class SnapshotLease implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotLease.class);

  private final HttpClient http;
  private final HttpRequest.Builder request;
  private final long renewAfterMillis;
  private final AtomicLong renewedMillis;
  private final @Nullable Path folder;
  private final CompletableFuture<?> answered;

  private SnapshotLease(
      CopyContext context,
      HttpClient http,
      HttpRequest.Builder request,
      @Nullable Path folder,
      CompletableFuture<?> answered) {
    this.http = http;
    this.folder = folder;
    this.request = request;
    this.answered = answered;
    this.renewAfterMillis = context.node().settings().snapshotLeaseMillis() / 3;
    this.renewedMillis = new AtomicLong(context.node().clock().millis());
  }

  /**
   * Requests a lease without waiting for the response: reads under it show whether the files are
   * held.
   */
  static SnapshotLease begin(
      CopyContext context, String holder, PeerNode node, Manifest manifest, Duration timeout) {
    HttpRequest.Builder request = request(named(holder), node, manifest, timeout);
    HttpRequest first = request.copy().GET().build();
    return new SnapshotLease(context, node.http(), request, null, sendAndLog(node.http(), first));
  }

  /**
   * Takes a lease without waiting for the snapshot.
   *
   * @throws SourceGoneException if that node no longer holds the manifest's files
   * @throws IOException if the node cannot be reached now
   */
  static SnapshotLease take(
      CopyContext context, String holder, PeerNode node, Manifest manifest, Duration timeout)
      throws IOException {
    return switch (ask(context, holder, node, manifest, 0, timeout)) {
      case Answer.Taken(SnapshotLease lease) -> lease;
      case Answer.NotYet _ -> throw new SourceGoneException(node + " does not have it yet");
    };
  }

  /** The answer of a node. */
  sealed interface Answer {

    /** The number of bytes that the node lacks is unknown. */
    long UNKNOWN = Long.MAX_VALUE;

    record Taken(SnapshotLease lease) implements Answer {}

    /** The node still lacks that many bytes of the snapshot. */
    record NotYet(long missingBytes) implements Answer {}
  }

  /** Asks the node, which responds within about {@code waitMillis}. */
  static Answer ask(
      CopyContext context,
      String holder,
      PeerNode node,
      Manifest manifest,
      long waitMillis,
      Duration timeout)
      throws IOException {
    HttpRequest.Builder request = request(named(holder), node, manifest, timeout);
    HttpClient http = node.http();
    HttpResponse<String> answer;
    try {
      answer = send(http, waiting(request, waitMillis));
    } catch (IOException e) {
      // The lease may have been granted, and nothing else would release it.
      var _ = sendAndLog(http, request.copy().DELETE().build());
      throw e;
    }
    return switch (answer.statusCode()) {
      case 200 ->
          new Answer.Taken(
              new SnapshotLease(
                  context,
                  http,
                  request,
                  answer
                      .headers()
                      .firstValue(SnapshotEndpoints.FOLDER)
                      .map(path -> Path.of(URLDecoder.decode(path, StandardCharsets.UTF_8)))
                      .orElse(null),
                  CompletableFuture.completedFuture(answer)));
      case 202 -> new Answer.NotYet(Long.parseLong(answer.body().trim()));
      // The copy does not exist yet, or no longer.
      case 404 -> new Answer.NotYet(Answer.UNKNOWN);
      case 409, 410 ->
          throw new SourceGoneException(
              "snapshot " + SnapshotId.of(manifest) + " at " + node + ": " + answer.body());
      default ->
          throw new IOException(node + " answered " + answer.statusCode() + ": " + answer.body());
    };
  }

  private static String named(String holder) {
    return holder + "." + UUID.randomUUID();
  }

  private static HttpRequest.Builder request(
      String name, PeerNode node, Manifest manifest, Duration timeout) {
    String path =
        "/_internal/shards/%s/%d/snapshots/%s?copy=%s"
            .formatted(
                manifest.shard().indexUuid(),
                manifest.shard().number(),
                SnapshotId.of(manifest),
                URLEncoder.encode(name, StandardCharsets.UTF_8));
    return node.request(path, timeout);
  }

  private static HttpRequest waiting(HttpRequest.Builder request, long waitMillis) {
    HttpRequest plain = request.copy().GET().build();
    return waitMillis == 0
        ? plain
        : request.copy().uri(URI.create(plain.uri() + "&wait_millis=" + waitMillis)).GET().build();
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

  /** The folder of the files, for peers on the same machine; null if unknown. */
  @Nullable Path folder() {
    return folder;
  }

  /**
   * Renews the lease if a considerable part of its period has passed; does not wait for the
   * response.
   */
  void renew(long nowMillis) {
    long last = renewedMillis.get();
    if (nowMillis - last >= renewAfterMillis && renewedMillis.compareAndSet(last, nowMillis)) {
      var _ = sendAndLog(http, request.copy().GET().build());
    }
  }

  /** Releases the lease once it is known whether it was taken. */
  @Override
  public void close() {
    var _ =
        answered.whenComplete((_, _) -> {
          var _ = sendAndLog(http, request.copy().DELETE().build());
        });
  }

  private static CompletableFuture<?> sendAndLog(HttpClient http, HttpRequest next) {
    return http.sendAsync(next, HttpResponse.BodyHandlers.discarding())
        .whenComplete((answer, failure) -> {
          if (failure != null) {
            LOG.debug("{} {}: {}", next.method(), next.uri(), failure.toString());
          } else if (answer.statusCode() != 200) {
            LOG.debug("{} {}: {}", next.method(), next.uri(), answer.statusCode());
          }
        });
  }
}
