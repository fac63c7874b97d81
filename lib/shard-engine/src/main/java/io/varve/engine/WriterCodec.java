package io.varve.engine;

import io.varve.codec.ReencodingMergePolicy;
import io.varve.codec.SegmentCodecs;
import io.varve.codec.StoredEncoding;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.jspecify.annotations.Nullable;

/**
 * Selects the codec of a writer by the index's settings, which may change while the writer is open.
 * A segment that is being written keeps its encoding.
 */
final class WriterCodec {

  private static final String NAME = "index.codec";
  private static final String LEVEL = "index.codec.compression_level";
  private static final String DEFAULT_NAME = "default";
  private static final String DEFAULT_LEVEL = "3";

  /** Lucene's writer reads its live configuration whenever it begins a segment. */
  private final IndexWriterConfig writer;

  private @Nullable ReencodingMergePolicy merges;
  private volatile StoredEncoding encoding;

  WriterCodec(IndexWriterConfig writer, Map<String, String> settings) {
    this.writer = writer;
    this.encoding = SegmentCodecs.encoding(name(settings), level(settings));
    writer.setCodec(SegmentCodecs.of(name(settings), level(settings)));
  }

  private static String name(Map<String, String> settings) {
    return settings.getOrDefault(NAME, DEFAULT_NAME);
  }

  private static int level(Map<String, String> settings) {
    return Integer.parseInt(settings.getOrDefault(LEVEL, DEFAULT_LEVEL));
  }

  /** The merge policy; requested once, before the writer is opened. */
  ReencodingMergePolicy merges(MergePolicy usual) {
    merges = new ReencodingMergePolicy(usual, () -> encoding);
    return merges;
  }

  ReencodingMergePolicy merges() {
    return Objects.requireNonNull(merges, "the merge policy has not been created");
  }

  /** Applies changed settings; returns at once if none has changed. */
  synchronized void follow(Map<String, String> settings) {
    StoredEncoding wanted = SegmentCodecs.encoding(name(settings), level(settings));
    if (!wanted.equals(encoding)) {
      writer.setCodec(SegmentCodecs.of(name(settings), level(settings)));
      encoding = wanted;
    }
  }
}
