package io.varve.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.ShardId;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What the segment store promises with every S3 server: the one in the JVM of the tests, and the
 * image of docker-compose.yml.
 */
abstract class S3SegmentStoreContract {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  S3SegmentStore store;
  SegmentStore.Key key;

  /** Returns settings for a bucket that exists. */
  abstract S3Settings settings();

  @BeforeEach
  void open() {
    store = new S3SegmentStore(settings());
    key = segment(new ShardId("u1", 0), "_" + NUMBERS.incrementAndGet());
  }

  @AfterEach
  void close() {
    store.close();
  }

  static SegmentStore.Key segment(ShardId shard, String object) {
    return new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, shard, 2, object);
  }

  void put(byte[] content, long length) throws IOException {
    store.put(key, new ByteArrayInputStream(content), length);
  }

  void put(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    put(bytes, bytes.length);
  }

  String read(long from, long length) throws IOException {
    try (InputStream in = store.open(key, from, length)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Returns content that is sent in three parts. */
  static byte[] large() {
    byte[] bytes = new byte[2 * S3Settings.LEAST_PART_BYTES + 12_345];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  /** Returns the multipart uploads that are neither completed nor aborted. */
  List<?> unfinishedUploads() {
    try (S3Client client = S3Clients.of(settings())) {
      return client.listMultipartUploads(r -> r.bucket(settings().bucket())).uploads();
    }
  }

  @Test
  void aLongObjectComesBackAsItWas() throws IOException {
    byte[] content = large();
    put(content, content.length);
    try (InputStream in = store.open(key, 0, content.length)) {
      assertThat(in.readAllBytes()).isEqualTo(content);
    }
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
    assertThat(unfinishedUploads()).isEmpty();
  }

  @Test
  void aPartThatIsChangedOnItsWayIsSentAgain() throws IOException {
    S3Settings settings = settings();
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

  @Test
  void makesTheBucketOnceIfAsked() throws Exception {
    store.createBucketIfMissing();
    S3Settings of = settings();
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
}
