package io.varve.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.ShardId;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs against a real S3 API over HTTP with faults injected in the server. */
class S3SegmentStoreTest {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  @TempDir private static Path folder;
  private static S3Server server;
  private S3SegmentStore store;
  private SegmentStore.Key key;

  @BeforeAll
  static void startServer() throws Exception {
    server = new S3Server(folder);
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.close();
  }

  @BeforeEach
  void open() {
    store = new S3SegmentStore(server.settings());
    key = segment(new ShardId("u1", 0), "_" + NUMBERS.incrementAndGet());
  }

  @AfterEach
  void close() {
    store.close();
  }

  private static S3Settings at(S3Settings settings, int port) {
    return new S3Settings(
        URI.create("http://127.0.0.1:" + port),
        settings.region(),
        settings.bucket(),
        settings.basePath(),
        settings.pathStyle(),
        settings.credentials(),
        settings.encryption(),
        settings.partBytes(),
        settings.limits());
  }

  private void put(byte[] content, long length) throws IOException {
    store.put(key, new ByteArrayInputStream(content), length);
  }

  private void put(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    put(bytes, bytes.length);
  }

  private String read(long from, long length) throws IOException {
    try (InputStream in = store.open(key, from, length)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static byte[] large() {
    byte[] bytes = new byte[2 * S3Settings.LEAST_PART_BYTES + 12_345];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  @Test
  void keepsWhatWasPutAndGivesRangesOfIt() throws IOException {
    assertThat(store.exists(key)).isFalse();
    put("0123456789");
    assertThat(store.exists(key)).isTrue();
    assertThat(read(3, 4)).isEqualTo("3456");
    assertThat(read(8, 100)).isEqualTo("89");
    assertThat(read(10, 5)).isEmpty();
  }

  @Test
  void neverChangesAnObject() throws IOException {
    put("0123456789");
    put("abcdefghij");
    assertThatThrownBy(() -> put("short")).hasMessageContaining("expected 5");
    assertThat(read(0, 10)).isEqualTo("0123456789");
  }

  @Test
  void forgetsWhatIsDeleted() throws IOException {
    put("0123");
    store.delete(key);
    store.delete(key);
    assertThat(store.exists(key)).isFalse();
    assertThatThrownBy(() -> store.open(key, 0, 4)).isInstanceOf(SourceGoneException.class);
  }

  @Test
  void keepsNothingOfContentOfAnotherLength() throws IOException {
    assertThatThrownBy(() -> put(new byte[4], 10)).hasMessageContaining("expected 10");
    assertThatThrownBy(() -> put(new byte[11], 10)).hasMessageContaining("expected 10");
    assertThatThrownBy(() -> put(large(), large().length + 1)).hasMessageContaining("expected");
    assertThatThrownBy(() -> put(large(), large().length - 1)).hasMessageContaining("expected");
    assertThat(store.exists(key)).isFalse();
    assertThat(server.unfinishedUploads()).isEmpty();
  }

  @Test
  void sendsALongObjectInParts() throws IOException {
    byte[] content = large();
    server.faults.parts.set(0);
    put(content, content.length);
    assertThat(server.faults.parts).hasValue(3);
    try (InputStream in = store.open(key, 0, content.length)) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
  }

  @Test
  void aPartThatIsChangedOnItsWayIsSentAgain() throws IOException {
    S3Settings settings = server.settings();
    try (FlippingRelay relay = new FlippingRelay(settings.endpoint().getPort());
        S3SegmentStore spoilt = new S3SegmentStore(at(settings, relay.port()))) {
      byte[] content = large();
      relay.flips.set(1);

      spoilt.put(key, new ByteArrayInputStream(content), content.length);

      assertThat(relay.flips).as("one byte was changed").hasValue(0);
      try (InputStream in = store.open(key, 0, content.length)) {
        assertThat(in.readAllBytes()).isEqualTo(content);
      }
    }
  }

  @Test
  void aBusyServerIsAskedAgain() throws IOException {
    server.faults.busyPuts.set(2);
    put("0123");
    server.faults.busyGets.set(2);
    assertThat(read(0, 4)).isEqualTo("0123");
    store.delete(key);
    server.faults.busyParts.set(2);
    put(large(), large().length);
    assertThat(store.exists(key)).isTrue();
  }

  @Test
  void aServerThatStaysBusyIsAFailureThatLeavesNothingBehind() throws IOException {
    server.faults.busyPuts.set(100);
    assertThatThrownBy(() -> put("0123")).isInstanceOf(IOException.class);
    server.faults.busyPuts.set(0);
    server.faults.busyParts.set(100);
    assertThatThrownBy(() -> put(large(), large().length)).isInstanceOf(IOException.class);
    server.faults.busyParts.set(0);
    assertThat(store.exists(key)).isFalse();
    assertThat(server.unfinishedUploads()).isEmpty();
  }

  @Test
  void aPutWhoseAnswerIsLostIsRepeatedWithTheSameContent() throws IOException {
    server.faults.putsWithoutAnAnswer.set(2);
    put("0123");
    assertThat(read(0, 4)).isEqualTo("0123");
  }

  @Test
  void anAnswerThatBreaksOffIsNoticed() throws IOException {
    put("0123456789".repeat(1000));
    server.faults.cutGets.set(1);
    assertThatThrownBy(
            () -> {
              if (read(0, 10_000).length() < 10_000) {
                throw new IOException("it ended early");
              }
            })
        .isInstanceOf(IOException.class);
    assertThat(read(0, 10_000)).hasSize(10_000);
  }

  @Test
  void aServerThatIsGoneIsAnIoException(@TempDir Path another) throws Exception {
    S3Settings settings;
    try (S3Server gone = new S3Server(another)) {
      settings = gone.settings();
    }
    try (S3SegmentStore lonely = new S3SegmentStore(settings)) {
      assertThatThrownBy(() -> lonely.exists(key)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> lonely.open(key, 0, 1)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void spreadsShardsByAHashBeforeTheName() {
    S3Keys keys = new S3Keys("a/b");
    String first = keys.of(key);
    String other = keys.of(segment(new ShardId("u1", 1), key.object()));
    assertThat(first).matches("a/b/[0-9a-f]{2}/segments/u1/0/2/" + key.object());
    assertThat(first.substring(0, 6)).isNotEqualTo(other.substring(0, 6));
  }

  @Test
  void listsTheObjectsOfAShardAndTheShardsThatHaveSome() throws IOException {
    ShardId shard = new ShardId("listed", 1);
    SegmentStore.Key manifest =
        new SegmentStore.Key(SegmentStore.Kind.MANIFESTS, shard, 3, "7.json");
    key = segment(shard, "_0.cfs-ab12");
    put("0123456789");
    store.put(manifest, new ByteArrayInputStream(new byte[2]), 2);

    assertThat(store.list(SegmentStore.Kind.SEGMENTS, shard))
        .containsExactly(new SegmentStore.Present(key, 10));
    assertThat(store.list(SegmentStore.Kind.MANIFESTS, shard))
        .containsExactly(new SegmentStore.Present(manifest, 2));
    assertThat(store.list(SegmentStore.Kind.SEGMENTS, new ShardId("none", 0))).isEmpty();
    assertThat(store.shards(SegmentStore.Kind.MANIFESTS)).contains(shard);
    assertThat(store.shards(SegmentStore.Kind.SEGMENTS)).contains(shard);
  }

  private static SegmentStore.Key segment(ShardId shard, String object) {
    return new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, shard, 2, object);
  }

  @Test
  void makesTheBucketOnceIfAsked() throws Exception {
    store.createBucketIfMissing();
    S3Settings of = server.settings();
    S3Settings other =
        new S3Settings(
            of.endpoint(),
            of.region(),
            "another",
            "",
            of.pathStyle(),
            of.credentials(),
            null,
            of.partBytes(),
            of.limits());
    try (S3SegmentStore fresh = new S3SegmentStore(other)) {
      assertThatThrownBy(() -> fresh.list(SegmentStore.Kind.SEGMENTS, key.shard()))
          .isInstanceOf(IOException.class);
      fresh.createBucketIfMissing();
      fresh.createBucketIfMissing();
      assertThat(fresh.list(SegmentStore.Kind.SEGMENTS, key.shard())).isEmpty();
    }
  }

  @Test
  void settingsThatCannotWorkAreRefused() {
    S3Settings good = server.settings();
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new S3Settings(
                null, good.region(), "b", "/a", true, null, null, good.partBytes(), good.limits()))
        .withMessageContaining("slash");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new S3Settings(null, "r", "b", "", true, null, null, 1024, good.limits()))
        .withMessageContaining("parts");
    assertThat(good.credentials()).asString().doesNotContain("secret");
  }
}
