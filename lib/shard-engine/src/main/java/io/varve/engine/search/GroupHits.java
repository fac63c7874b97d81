package io.varve.engine.search;

import io.varve.engine.search.aggregation.HitReading;
import io.varve.engine.source.SourceReader;
import io.varve.search.hits.ShardHit;
import io.varve.search.query.HitsRequest;
import io.varve.search.query.SortKey;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Fetches the hits of {@code top_hits}, either documents or nested objects. */
final class GroupHits implements HitReading {

  private final QueryContext context;
  private final SearchTools.Hits hits;
  private final HitsRequest request;
  private final @Nullable String scope;
  private final List<TranslatedKey> keys;
  private final FetchPhase showing;
  private final Rescoring rescoring;

  /**
   * @param scope the path of the nested objects, or null for whole documents
   */
  GroupHits(
      QueryContext context,
      QueryTranslator translator,
      SearchTools.Hits hits,
      HitsRequest request,
      @Nullable String scope) {
    this.context = context;
    this.hits = hits;
    this.request = request;
    this.scope = scope;
    this.keys = new SortTranslator(context, translator, hits.ordinal()).translate(request.sort());
    this.showing =
        new FetchPhase(context, translator, request, keys, null, hits.request().search().query());
    this.rescoring = new Rescoring(context, translator, List.of());
  }

  @Override
  public @Nullable Sort sort() {
    return request.sortedByScore()
        ? null
        : new Sort(keys.stream().map(TranslatedKey::lucene).toArray(SortField[]::new));
  }

  @Override
  public boolean showsScores() {
    return request.parts().trackScores() || request.sort().stream().anyMatch(SortKey::isScore);
  }

  @Override
  public int most() {
    return request.page().from() + request.page().size();
  }

  @Override
  public String index() {
    return context.index().name();
  }

  @Override
  public long place(int document) {
    return ((long) hits.ordinal() << 32) | document;
  }

  @Override
  public List<ShardHit> read(ScoreDoc[] documents) throws IOException {
    String path = scope;
    if (path == null) {
      return showing.read(hits.searcher(), hits.matching(), rescoring, documents);
    }
    List<ShardHit> read = new ArrayList<>(documents.length);
    for (ScoreDoc document : documents) {
      read.add(object(path, document));
    }
    return read;
  }

  private ShardHit object(String path, ScoreDoc document) throws IOException {
    IndexSearcher searcher = hits.searcher();
    List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document.doc, leaves));
    BitSet roots = NestedQueries.ROOTS.getBitSet(leaf);
    if (roots == null) {
      throw new IllegalStateException("a nested object has no root document");
    }
    int root = roots.nextSetBit(document.doc - leaf.docBase);
    StoredHit stored = new StoredHit(context.mapping().sourceEnabled(), Set.of());
    searcher.storedFields().document(leaf.docBase + root, stored);
    stored.derive(new SourceReader(leaf.reader()), root, SourceFilter.ALL);
    HitContext around = new HitContext(leaf, root, document.score, stored);
    NestedHits.Shown shown =
        new NestedHits.Shown(
            request,
            showing.parts(),
            request.sortedByScore() ? List.of() : showing.sortValues((FieldDoc) document));
    return new NestedHits(searcher, context).read(path, around, document, shown, List.of());
  }
}
