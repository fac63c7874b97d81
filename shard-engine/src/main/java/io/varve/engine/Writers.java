package io.varve.engine;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/** Opens the Lucene writer of a copy. */
final class Writers {

  /**
   * Room for the segments of one term: those of the first begin at 0, like those of a copy without
   * a term, whose files nobody is ever given.
   */
  private static final long SEGMENTS_PER_TERM = 1L << 20;

  /** What the writer takes from the mapping. */
  record Mapped(Analyzer analyzer, @Nullable Sort sort) {}

  private Writers() {}

  /**
   * Opens the last commit, or an empty index.
   *
   * @param retainedSeqNo tombstones from this seq_no on survive merges, because a replay may still
   *     bring what they deleted
   */
  static IndexWriter open(
      EngineConfig config,
      Directory directory,
      Mapped mapped,
      ConcurrentMergeScheduler scheduler,
      Supplier<Long> retainedSeqNo)
      throws IOException {
    IndexWriterConfig lucene =
        new IndexWriterConfig(mapped.analyzer)
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE_OR_APPEND)
            .setCommitOnClose(false)
            .setSoftDeletesField(MetaFields.SOFT_DELETES)
            .setRAMBufferSizeMB(config.bufferMegabytes())
            .setMergeScheduler(scheduler)
            .setCodec(codec(config))
            // A refresh is awaited by readers: it never waits for a merge.
            .setMaxFullFlushMergeWaitMillis(0)
            .setMergePolicy(
                new SoftDeletesRetentionMergePolicy(
                    MetaFields.SOFT_DELETES,
                    () -> retainedTombstones(retainedSeqNo.get()),
                    new TieredMergePolicy()));
    Sort sort = mapped.sort;
    if (sort != null) {
      lucene.setIndexSort(sort);
    }
    IndexWriter writer = new IndexWriter(directory, lucene);
    writer.advanceSegmentInfosCounter(Math.max(0, config.term() - 1) * SEGMENTS_PER_TERM);
    return writer;
  }

  private static Query retainedTombstones(long fromSeqNo) {
    return new BooleanQuery.Builder()
        .add(new FieldExistsQuery(MetaFields.TOMBSTONE), BooleanClause.Occur.FILTER)
        .add(
            NumericDocValuesField.newSlowRangeQuery(MetaFields.SEQ_NO, fromSeqNo, Long.MAX_VALUE),
            BooleanClause.Occur.FILTER)
        .build();
  }

  private static Codec codec(EngineConfig config) {
    String name = config.settings().getOrDefault("index.codec", "default");
    return new Lucene104Codec(
        switch (name) {
          case "default", "lz4" -> Lucene104Codec.Mode.BEST_SPEED;
          case "best_compression", "zlib" -> Lucene104Codec.Mode.BEST_COMPRESSION;
          default -> throw new IllegalArgumentException("unknown value for [index.codec]: " + name);
        });
  }
}
