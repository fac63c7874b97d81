package io.varve.engine;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.engine.fields.LuceneIndexSort;
import io.varve.engine.fields.MetaFields;
import io.varve.events.SegmentFile;
import io.varve.search.mapping.IndexSort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.jspecify.annotations.Nullable;

/** Opens the Lucene writer of a copy. */
final class Writers {

  private static final System.Logger LOG = System.getLogger(Writers.class.getName());

  /**
   * The number of segment names that each primary term has. Those of the first term begin at 0,
   * like those of a copy without a term, whose files are never copied to other copies.
   */
  private static final long SEGMENTS_PER_TERM = 1L << 20;

  /** The writer's configuration from the mapping. */
  record Mapped(Analyzer analyzer, @Nullable Sort sort) {

    static Mapped of(EngineConfig config, DocumentParser parser) {
      IndexSort sort = IndexSort.of(config.settings());
      return new Mapped(
          FieldAnalyzers.forWriter(parser::mapping), LuceneIndexSort.of(sort, parser.mapping()));
    }
  }

  /**
   * A writer, its codec and what it merges.
   *
   * @param unmergeable the reason why it must not merge, if any
   */
  record Opened(
      IndexWriter writer, WriterCodec codec, TieredMerges merges, Optional<String> unmergeable) {}

  private Writers() {}

  /**
   * Opens the last commit, or an empty index.
   *
   * @param retainedSeqNo tombstones from this seq_no on survive merges, because a replay may bring
   *     back the documents that they deleted
   * @param watch notified of each merged segment; other merges may run meanwhile
   */
  static Opened open(
      EngineConfig config,
      FlushDirectory directory,
      Mapped mapped,
      CountingMergeScheduler scheduler,
      Supplier<Long> retainedSeqNo,
      MergeWatch watch)
      throws IOException {
    IndexWriterConfig lucene =
        new IndexWriterConfig(mapped.analyzer)
            .setOpenMode(IndexWriterConfig.OpenMode.CREATE_OR_APPEND)
            .setCommitOnClose(false)
            .setSoftDeletesField(MetaFields.SOFT_DELETES)
            .setRAMBufferSizeMB(config.bufferMegabytes())
            .setMergeScheduler(scheduler)
            // See FlushDirectory.
            .setUseCompoundFile(true)
            // Clients wait for refreshes, so a refresh never waits for a merge.
            .setMaxFullFlushMergeWaitMillis(0);
    WriterCodec codec = new WriterCodec(lucene, config.settings());
    TieredMerges merges = new TieredMerges(config.settings());
    Optional<String> unmergeable = SuspectFolder.unmergeable(config.directory());
    lucene.setMergePolicy(
        new SoftDeletesRetentionMergePolicy(
            MetaFields.SOFT_DELETES,
            () -> retainedTombstones(retainedSeqNo.get()),
            codec.merges(unmergeable.isPresent() ? NoMergePolicy.INSTANCE : merges.policy())));
    if (!watch.equals(MergeWatch.NONE)) {
      lucene.setMergedSegmentWarmer(
          segment -> scheduler.aside(() -> merged(directory, segment, watch)));
    }
    Sort sort = mapped.sort;
    if (sort != null) {
      lucene.setIndexSort(sort);
    }
    IndexWriter writer = new IndexWriter(directory, lucene);
    writer.advanceSegmentInfosCounter(Math.max(0, config.term() - 1) * SEGMENTS_PER_TERM);
    return new Opened(writer, codec, merges, unmergeable);
  }

  private static void merged(FlushDirectory directory, LeafReader segment, MergeWatch watch) {
    List<SegmentFile> files = new ArrayList<>();
    try {
      Collection<String> names = ((SegmentReader) segment).getSegmentInfo().files();
      directory.toDisk(names);
      for (String name : names) {
        files.add(SegmentFiles.read(directory, name));
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "could not read back a merged segment", e);
      return;
    }
    watch.merged(files);
  }

  private static Query retainedTombstones(long fromSeqNo) {
    return new BooleanQuery.Builder()
        .add(new FieldExistsQuery(MetaFields.TOMBSTONE), BooleanClause.Occur.FILTER)
        .add(
            NumericDocValuesField.newSlowRangeQuery(MetaFields.SEQ_NO, fromSeqNo, Long.MAX_VALUE),
            BooleanClause.Occur.FILTER)
        .build();
  }
}
