package io.varve.replication.replica;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Creates documents {@code from} (inclusive) to {@code to} (exclusive); book number n has the id
 * {@code book-n}.
 */
final class Books {

  private Books() {}

  /**
   * An index of one shard with these copies, whose mapping has a field for each that is written
   * here.
   */
  static IndexMetadata index(
      ShardId shard, Map<String, String> settings, List<CopyRouting> copies) {
    String mapping =
        """
        {"properties":{"title":{"type":"text"},"n":{"type":"long"},"noise":{"type":"binary"},
         "tag":{"type":"keyword","eager_global_ordinals":true}}}
        """;
    return new IndexMetadata(
        "books",
        shard.indexUuid(),
        0,
        settings,
        1,
        mapping,
        1,
        null,
        List.of(new ShardRouting(shard, 0, copies)));
  }

  static List<WriteItem> plain(int from, int to) {
    return indexed(from, to, n -> "");
  }

  /** Each has a kilobyte of incompressible content. */
  static List<WriteItem> withNoise(int from, int to) {
    Random random = new Random(from);
    return indexed(
        from,
        to,
        n -> {
          byte[] noise = new byte[768];
          random.nextBytes(noise);
          return "\"noise\":\"" + Base64.getEncoder().encodeToString(noise) + "\",";
        });
  }

  static List<WriteItem> deletions(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(n -> item(WriteItem.Kind.DELETE, n, new byte[0]))
        .toList();
  }

  private static List<WriteItem> indexed(int from, int to, IntFunction<String> more) {
    return IntStream.range(from, to)
        .mapToObj(n -> {
          String source =
              "{\"title\":\"book number " + n + "\"," + more.apply(n) + "\"n\":" + n + "}";
          return item(WriteItem.Kind.INDEX, n, source.getBytes(StandardCharsets.UTF_8));
        })
        .toList();
  }

  private static WriteItem item(WriteItem.Kind kind, int n, byte[] body) {
    return WriteItem.of(kind, "book-" + n, body, 0, body.length);
  }
}
