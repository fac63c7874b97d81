package io.varve.load;

import io.varve.codec.SegmentCodecs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.Codec;

/**
 * A codec to measure.
 *
 * @param level the compression level; 0 for codecs without levels
 * @param derived whether sources are derived from doc values
 */
record CodecSubject(String name, int level, boolean derived) {

  /** The layout of OpenSearch's codec {@code zstd}, at its default level. */
  static final CodecSubject OPENSEARCH_ZSTD = new CodecSubject("opensearch zstd", 3);

  static final CodecSubject LZ4 = new CodecSubject("default", 0);

  CodecSubject(String name, int level) {
    this(name, level, false);
  }

  static List<CodecSubject> all() {
    List<CodecSubject> all = new ArrayList<>();
    all.add(LZ4);
    all.add(new CodecSubject("best_compression", 0));
    all.add(OPENSEARCH_ZSTD);
    for (String name : List.of("zstd", "zstd_no_dict")) {
      for (int level = 1; level <= 6; level++) {
        all.add(new CodecSubject(name, level));
      }
    }
    return all;
  }

  /** Returns the codecs with which whole shards are measured. */
  static List<CodecSubject> ofIndex() {
    return List.of(
        LZ4,
        new CodecSubject("best_compression", 0),
        new CodecSubject("zstd", 3),
        new CodecSubject("zstd_no_dict", 3),
        new CodecSubject("default", 0, true),
        new CodecSubject("zstd", 3, true));
  }

  Codec codec() {
    return equals(OPENSEARCH_ZSTD) ? new OpenSearchLayout(level) : SegmentCodecs.of(name, level);
  }

  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("index.codec", name);
    settings.put("index.derived_source.enabled", Boolean.toString(derived));
    if (level > 0) {
      settings.put("index.codec.compression_level", Integer.toString(level));
    }
    return settings;
  }

  String label() {
    String codec = level == 0 ? name : name + " " + level;
    return derived ? codec + ", derived source" : codec;
  }
}
