package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.store.WireCompression;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotEndpointsTest {

  @TempDir private Path data;
  private ReplicaWorld world;
  private Manifest manifest;
  private SegmentFile file;
  private byte[] bytes;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"));
    world.openPrimary();
    world.index(0, 50);
    world.refresh();
    manifest = world.newestManifest();
    file = manifest.files().getFirst();
    bytes = Files.readAllBytes(world.indexFolder("n1").resolve(file.name()));
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void aLeaseAnswersTheManifest() throws Exception {
    HttpResponse<byte[]> answer =
        send("GET", "/snapshots/" + SnapshotId.of(manifest) + "?copy=r1", null);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(Json.read(answer.body(), Manifest.class)).isEqualTo(manifest);
  }

  @Test
  void aLeaseKeepsTheFilesUntilItIsReleased() throws Exception {
    String snapshot = "/snapshots/" + SnapshotId.of(manifest) + "?copy=r1";
    send("GET", snapshot, null);
    world.index(0, 50);
    world.refresh();
    assertThat(send("GET", filePath(), null).body()).isEqualTo(bytes);

    assertThat(send("DELETE", snapshot, null).statusCode()).isEqualTo(200);

    HttpResponse<byte[]> answer = send("GET", filePath(), null);
    assertThat(answer.statusCode()).isEqualTo(410);
    assertThat(text(answer)).contains("snapshot_gone_exception");
    assertThat(send("GET", snapshot, null).statusCode()).isEqualTo(410);
  }

  @Test
  void givesAWholeFile() throws Exception {
    HttpResponse<byte[]> answer = send("GET", filePath(), null);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(bytes);
    assertThat(answer.headers().firstValueAsLong("Content-Length")).hasValue(bytes.length);
    assertThat(answer.headers().firstValue("ETag")).contains("\"" + file.checksum() + "\"");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-9,0,9",
    "bytes=5-5,5,5",
    "bytes=10-,10,-1",
    "bytes=-7,-7,-1",
    "bytes=3-999999,3,-1"
  })
  void givesARange(String range, int from, int to) throws Exception {
    int first = from < 0 ? bytes.length + from : from;
    int last = to < 0 ? bytes.length + to : to;

    HttpResponse<byte[]> answer = send("GET", filePath(), range);

    assertThat(answer.statusCode()).isEqualTo(206);
    assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(bytes, first, last + 1));
    assertThat(answer.headers().firstValue("Content-Range"))
        .contains("bytes " + first + "-" + last + "/" + bytes.length);
  }

  @ParameterizedTest
  @CsvSource({"bytes=x-y", "bytes=9-3", "bytes=-", "'bytes=0-1,3-4'", "lines=1-2"})
  void aRangeThatMakesNoSenseIsNone(String range) throws Exception {
    HttpResponse<byte[]> answer = send("GET", filePath(), range);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(bytes);
  }

  @Test
  void refusesARangeBehindTheEnd() throws Exception {
    HttpResponse<byte[]> answer = send("GET", filePath(), "bytes=" + bytes.length + "-");

    assertThat(answer.statusCode()).isEqualTo(416);
    assertThat(answer.headers().firstValue("Content-Range")).contains("bytes */" + bytes.length);
  }

  @ParameterizedTest
  @CsvSource({
    "no_such.cfs",
    "write.lock",
    "..%2Fcopy.json",
    "%2e%2e/%2e%2e/%2e%2e/node.json",
    "%2Fetc%2Fpasswd",
    "_0.cfs%00"
  })
  void givesNothingThatTheSnapshotDoesNotName(String name) throws Exception {
    HttpResponse<byte[]> answer =
        send("GET", "/files/" + name + "?snapshot=" + SnapshotId.of(manifest), null);

    assertThat(answer.statusCode()).isBetween(400, 404);
  }

  @Test
  void asksForWhatIsMissing() throws Exception {
    assertThat(send("GET", "/snapshots/1.1", null).statusCode()).isEqualTo(400);
    assertThat(send("GET", "/snapshots/one?copy=r1", null).statusCode()).isEqualTo(400);
    assertThat(send("GET", "/files/" + file.name(), null).statusCode()).isEqualTo(400);
    assertThat(send("GET", "/snapshots/1.99?copy=r1", null).statusCode()).isEqualTo(410);
  }

  @Test
  void whoTakesZstdGetsAsZstdWhatGainsFromIt() throws Exception {
    world.index(1_000, 3_000);
    world.refresh();
    manifest = world.newestManifest();
    send("GET", "/snapshots/" + SnapshotId.of(manifest) + "?copy=r1", null);
    int compressed = 0;
    for (SegmentFile each : manifest.files()) {
      file = each;
      HttpResponse<byte[]> answer = send(filePath(), "gzip, zstd");
      boolean zstd = answer.headers().firstValue("Content-Encoding").isPresent();
      byte[] whole = Files.readAllBytes(world.indexFolder("n1").resolve(each.name()));
      byte[] got = zstd ? unpacked(answer.body()) : answer.body();
      assertThat(got).as(each.name()).isEqualTo(whole);
      assertThat(answer.body().length).as(each.name()).isLessThanOrEqualTo(whole.length);
      compressed += zstd ? 1 : 0;
      assertThat(send(filePath(), "gzip").headers().firstValue("Content-Encoding")).isEmpty();
    }
    assertThat(compressed).isBetween(1, manifest.files().size() - 1);
  }

  private static byte[] unpacked(byte[] body) throws IOException {
    return WireCompression.decompressing(new ByteArrayInputStream(body)).readAllBytes();
  }

  private HttpResponse<byte[]> send(String path, String encodings) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(world.server.url() + "/_internal/shards/u1/0" + path))
            .header("Accept-Encoding", encodings)
            .build();
    return world.http.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  private String filePath() {
    return "/files/" + file.name() + "?snapshot=" + SnapshotId.of(manifest);
  }

  private HttpResponse<byte[]> send(String method, String path, @Nullable String range)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(world.server.url() + "/_internal/shards/u1/0" + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (range != null) {
      request.header("Range", range);
    }
    return world.http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
