package io.varve.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.ShardId;
import io.varve.store.SegmentStore;
import java.net.URI;
import org.junit.jupiter.api.Test;

class S3KeysTest {

  private static final ShardId SHARD = new ShardId("u1", 0);

  private final S3Keys keys = new S3Keys("base");

  @Test
  void aNameIsReadBack() {
    SegmentStore.Key key = new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, SHARD, 3, "_0.cfs-ab");

    assertThat(keys.parse(key.kind(), SHARD, keys.of(key))).contains(key);
    assertThat(keys.shard("base/manifests/", "base/manifests/u1/0/")).contains(SHARD);
  }

  @Test
  void namesOfOthersAreLeftOut() {
    String folder = keys.folder(SegmentStore.Kind.SEGMENTS, SHARD);

    // Consoles create such objects to display folders.
    assertThat(keys.parse(SegmentStore.Kind.SEGMENTS, SHARD, folder)).isEmpty();
    assertThat(keys.parse(SegmentStore.Kind.SEGMENTS, SHARD, folder + "3/")).isEmpty();
    assertThat(keys.parse(SegmentStore.Kind.SEGMENTS, SHARD, folder + "x/y")).isEmpty();
    assertThat(keys.parse(SegmentStore.Kind.SEGMENTS, SHARD, folder + "3/a/b")).isEmpty();
    assertThat(keys.shard("base/manifests/", "base/manifests/u1/old/")).isEmpty();
    assertThat(keys.shard("base/manifests/", "base/manifests//0/")).isEmpty();
  }

  @Test
  void segmentsAreLookedForInTheFoldersOfHashesAlone() {
    assertThat(keys.segments("base/0f/")).contains("base/0f/segments/");
    assertThat(keys.segments("base/manifests/")).isEmpty();
    assertThat(keys.folder(SegmentStore.Kind.SEGMENTS, SHARD)).matches("base/[0-9a-f]{2}/.*");
  }

  @Test
  void aLongObjectHasNoMorePartsThanAreTaken() {
    S3Settings settings =
        new S3Settings(
            URI.create("http://127.0.0.1:1"),
            "r",
            "b",
            "",
            true,
            null,
            null,
            S3Settings.LEAST_PART_BYTES,
            S3Settings.Limits.DEFAULT);
    long terabyte = 1L << 40;

    assertThat(settings.partBytesOf(10L << 20)).isEqualTo(S3Settings.LEAST_PART_BYTES);
    assertThat(Math.ceilDiv(terabyte, settings.partBytesOf(terabyte))).isLessThanOrEqualTo(10_000);
  }
}
