package io.varve.store.s3;

import io.varve.events.ShardId;
import io.varve.store.SegmentStore;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * Names of objects in a bucket.
 *
 * <pre>
 *   segments    &lt;base path&gt;/&lt;hash&gt;/segments/&lt;index uuid&gt;/&lt;shard&gt;/&lt;term&gt;/&lt;object&gt;
 *   manifests   &lt;base path&gt;/manifests/&lt;index uuid&gt;/&lt;shard&gt;/&lt;term&gt;/&lt;object&gt;
 * </pre>
 *
 * The hash is two hex digits derived from the shard, so that a store spreads shards over its
 * partitions. Manifests are few and have no hash, since they are listed without knowing the shard.
 */
record S3Keys(String basePath) {

  private static final Pattern SHARD_NUMBER = Pattern.compile("\\d{1,9}");
  private static final Pattern HASH_FOLDER = Pattern.compile("[0-9a-f]{2}/");

  /** The name of an object in the bucket. */
  String of(SegmentStore.Key key) {
    return folder(key.kind(), key.shard()) + key.term() + "/" + key.object();
  }

  /** The name prefix of a shard's objects. */
  String folder(SegmentStore.Kind kind, ShardId shard) {
    String hash = kind == SegmentStore.Kind.SEGMENTS ? hash(shard) + "/" : "";
    return base() + hash + word(kind) + shard.indexUuid() + "/" + shard.number() + "/";
  }

  /** The name prefix of all manifests. */
  String manifests() {
    return base() + word(SegmentStore.Kind.MANIFESTS);
  }

  /** The name prefix of segments in a folder of the base; empty for other folders. */
  Optional<String> segments(String folder) {
    return HASH_FOLDER.matcher(folder.substring(base().length())).matches()
        ? Optional.of(folder + word(SegmentStore.Kind.SEGMENTS))
        : Optional.empty();
  }

  /** The prefix of all names. */
  String base() {
    return basePath.isEmpty() ? "" : basePath + "/";
  }

  private static String word(SegmentStore.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT) + "/";
  }

  private static String hash(ShardId shard) {
    CRC32 hash = new CRC32();
    hash.update((shard.indexUuid() + "/" + shard.number()).getBytes(StandardCharsets.UTF_8));
    return "%02x".formatted(hash.getValue() & 0xFF);
  }

  /** Parses an object's name; empty for foreign objects. */
  Optional<SegmentStore.Key> parse(SegmentStore.Kind kind, ShardId shard, String name) {
    String rest = name.substring(folder(kind, shard).length());
    int slash = rest.indexOf('/');
    return slash < 0
        ? Optional.empty()
        : SegmentStore.Key.parse(kind, shard, rest.substring(0, slash), rest.substring(slash + 1));
  }

  /** The shard of a folder of this kind; empty for foreign folders. */
  Optional<ShardId> shard(String all, String folder) {
    String[] parts = folder.substring(all.length()).split("/", -1);
    return parts[0].isEmpty() || !SHARD_NUMBER.matcher(parts[1]).matches()
        ? Optional.empty()
        : Optional.of(new ShardId(parts[0], Integer.parseInt(parts[1])));
  }
}
