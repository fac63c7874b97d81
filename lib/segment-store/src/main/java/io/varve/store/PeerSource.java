package io.varve.store;

import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.SnapshotId;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads segment files from another node's copy, by range requests over HTTP. The timeout covers the
 * whole response: a peer that stalls in the middle counts as an aborted transfer.
 */
public final class PeerSource implements SegmentSource {

  /**
   * @param timeout for the whole response
   * @param zstd whether the peer may compress the response if that makes it smaller
   * @param authorization the header of that name; null for none
   */
  public record Asking(Duration timeout, boolean zstd, @Nullable String authorization) {

    public Asking {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException("timeout must be > 0, was " + timeout);
      }
    }

    /** Without authorization. */
    public Asking(Duration timeout, boolean zstd) {
      this(timeout, zstd, null);
    }

    public Asking authorizedBy(@Nullable String header) {
      return new Asking(timeout, zstd, header);
    }
  }

  private final HttpClient http;
  private final String nodeUrl;
  private final ShardId shard;
  private final String holder;
  private final SnapshotId id;
  private final Asking asking;

  /**
   * @param nodeUrl such as {@code http://127.0.0.1:9301}
   * @param snapshot the leased snapshot that names the files
   */
  public PeerSource(
      HttpClient http, String nodeUrl, ShardId shard, SnapshotId snapshot, Asking asking) {
    this(http, nodeUrl, shard, "snapshot", snapshot, asking);
  }

  private PeerSource(
      HttpClient http, String nodeUrl, ShardId shard, String holder, SnapshotId id, Asking asking) {
    this.http = http;
    this.nodeUrl = nodeUrl;
    this.shard = shard;
    this.holder = holder;
    this.id = id;
    this.asking = asking;
  }

  /** A source for a merged segment that no snapshot names yet. */
  public static PeerSource ofMerge(
      HttpClient http, String nodeUrl, ShardId shard, SnapshotId merge, Asking asking) {
    return new PeerSource(http, nodeUrl, shard, "merge", merge, asking);
  }

  @Override
  public InputStream open(SegmentFile file, long fromByte, long length) throws IOException {
    HttpRequest request =
        request(address(file))
            .header("Range", "bytes=" + fromByte + "-" + (fromByte + length - 1))
            .GET()
            .build();
    HttpResponse<InputStream> response = send(request);
    int status = response.statusCode();
    boolean whole = status == 200 && fromByte == 0 && length == file.lengthBytes();
    if (status == 206 || whole) {
      return body(response);
    }
    try (InputStream body = response.body()) {
      requireStatus(false, status, body, file.name());
    }
    throw new IOException(nodeUrl + " did not return " + file.name());
  }

  /**
   * Fetches several complete files in one response. The peer opens all of them before it responds,
   * so no lease is needed.
   *
   * @throws SourceGoneException if the peer no longer holds the snapshot
   * @throws IOException if the peer is unreachable or the transfer was aborted
   */
  public Map<SegmentFile, byte[]> together(List<SegmentFile> files) throws IOException {
    String names = files.stream().map(file -> encode(file.name())).collect(Collectors.joining(","));
    HttpRequest request = request(address("bundle/" + id + "?names=" + names)).GET().build();
    HttpResponse<InputStream> response = send(request);
    Map<SegmentFile, byte[]> bytes = new HashMap<>();
    try (InputStream body = body(response)) {
      requireStatus(response.statusCode() == 200, response.statusCode(), body, names);
      for (SegmentFile file : files) {
        byte[] whole = body.readNBytes((int) file.lengthBytes());
        if (whole.length < file.lengthBytes()) {
          throw new IOException(nodeUrl + " aborted the transfer in " + file.name());
        }
        bytes.put(file, whole);
      }
    }
    return bytes;
  }

  private HttpRequest.Builder request(URI address) {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(asking.timeout());
    String authorization = asking.authorization();
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return asking.zstd() ? request.header("Accept-Encoding", WireCompression.NAME) : request;
  }

  private InputStream body(HttpResponse<InputStream> response) throws IOException {
    InputStream body = withDeadline(response.body());
    boolean compressed =
        response.headers().firstValue("Content-Encoding").orElse("").equals(WireCompression.NAME);
    return compressed ? WireCompression.decompressing(body) : body;
  }

  private URI address(SegmentFile file) {
    return address("files/" + encode(file.name()) + "?" + holder + "=" + id);
  }

  private URI address(String rest) {
    return URI.create(
        "%s/_internal/shards/%s/%d/%s".formatted(nodeUrl, shard.indexUuid(), shard.number(), rest));
  }

  private static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private void requireStatus(boolean good, int status, InputStream body, String what)
      throws IOException {
    if (!good) {
      String answer = new String(body.readNBytes(500), StandardCharsets.UTF_8);
      String message = nodeUrl + " answered " + status + " for " + what + ": " + answer;
      throw status == 404 || status == 410
          ? new SourceGoneException(message)
          : new IOException(message);
    }
  }

  private HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /** The HTTP client's own timeout ends with the headers; this one covers the body. */
  private InputStream withDeadline(InputStream body) {
    CompletableFuture<Void> deadline = new CompletableFuture<>();
    var _ =
        deadline
            .orTimeout(asking.timeout().toMillis(), TimeUnit.MILLISECONDS)
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
