package io.varve.engine.search;

import io.varve.events.Json;
import io.varve.search.hits.HitsWriter;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.SearchHits;
import io.varve.search.hits.ShardHit;
import io.varve.search.query.HitsRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Fetches {@code inner_hits} of a hit: the nested objects that matched. */
final class InnerHitsPart implements HitPart {

  /** The inner hits of one nested query, and those of nested queries within it. */
  static final class Plan {
    final String name;
    final String path;
    final HitsRequest hits;
    final io.varve.search.query.Query asked;
    final List<Plan> inner = new ArrayList<>();
    private Query objects = new MatchNoDocsQuery("not translated yet");

    Plan(String name, String path, HitsRequest hits, io.varve.search.query.Query asked) {
      this.name = name;
      this.path = path;
      this.hits = hits;
      this.asked = asked;
    }

    void found(Query query) {
      objects = query;
    }
  }

  private final IndexSearcher searcher;
  private final QueryContext context;
  private final QueryTranslator translator;
  private final List<Plan> plans;
  private final boolean totalsAsNumbers;

  InnerHitsPart(
      IndexSearcher searcher,
      QueryContext context,
      QueryTranslator translator,
      List<Plan> plans,
      boolean totalsAsNumbers) {
    this.searcher = searcher;
    this.context = context;
    this.translator = translator;
    this.plans = List.copyOf(plans);
    this.totalsAsNumbers = totalsAsNumbers;
  }

  @Override
  public boolean needsSource() {
    return plans.stream().anyMatch(InnerHitsPart::showsSource);
  }

  private static boolean showsSource(Plan plan) {
    HitsRequest.HitParts parts = plan.hits.parts();
    return parts.source().enabled()
        || parts.extras().highlight() != null
        || !parts.extras().fields().isEmpty()
        || plan.inner.stream().anyMatch(InnerHitsPart::showsSource);
  }

  @Override
  public ShardHit.Part of(HitContext hit) throws IOException {
    return new ShardHit.Part("inner_hits", json(plans, hit, hit.globalDoc(), null));
  }

  /**
   * @param parent the document whose nested objects are searched, by its id in the whole reader
   * @param path of the parent, null for the root
   */
  private byte[] json(List<Plan> wanted, HitContext root, int parent, @Nullable String path)
      throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    json.write('{');
    boolean first = true;
    for (Plan plan : wanted) {
      if (!first) {
        json.write(',');
      }
      first = false;
      json.write(Json.write(plan.name));
      json.write(":{\"hits\":".getBytes(StandardCharsets.UTF_8));
      write(plan, root, parent, path, json);
      json.write('}');
    }
    json.write('}');
    return json.toByteArray();
  }

  private void write(
      Plan plan, HitContext root, int parent, @Nullable String path, ByteArrayOutputStream into)
      throws IOException {
    List<TranslatedKey> keys =
        new SortTranslator(context, translator, 0).translate(plan.hits.sort());
    boolean byScore = plan.hits.sortedByScore();
    int from = plan.hits.page().from();
    int wanted = from + plan.hits.page().size();
    Query query =
        new BooleanQuery.Builder()
            .add(plan.objects, BooleanClause.Occur.MUST)
            .add(
                new DocRangeQuery(before(root, parent, path) + 1, parent),
                BooleanClause.Occur.FILTER)
            .build();
    TopDocs top =
        byScore
            ? searcher.search(
                query, new TopScoreDocCollectorManager(Math.max(1, wanted), Integer.MAX_VALUE))
            : searcher.search(
                query,
                new TopFieldCollectorManager(
                    new Sort(keys.stream().map(TranslatedKey::lucene).toArray(SortField[]::new)),
                    Math.max(1, wanted),
                    Integer.MAX_VALUE));
    List<IndexHit> hits = new ArrayList<>();
    float best = Float.NaN;
    for (int i = 0; i < top.scoreDocs.length; i++) {
      ScoreDoc found = top.scoreDocs[i];
      if (byScore && i == 0) {
        best = found.score;
      }
      if (i >= from && i < wanted) {
        ShardHit hit = hit(plan, root, found, byScore ? List.of() : shown(keys, (FieldDoc) found));
        hits.add(new IndexHit(context.index().name(), 0, "", hit));
      }
    }
    SearchHits found = new SearchHits(top.totalHits.value(), true, best, hits);
    new HitsWriter(plan.hits, totalsAsNumbers).write(found, into);
  }

  private static List<@Nullable Object> shown(List<TranslatedKey> keys, FieldDoc document) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      values.add(keys.get(i).shown(document.fields[i]));
    }
    return values;
  }

  /** The last document before the parent's block; -1 for none. */
  private static int before(HitContext root, int parent, @Nullable String path) throws IOException {
    LeafReaderContext leaf = root.leaf;
    int doc = parent - leaf.docBase;
    int last = previous(NestedQueries.ROOTS.getBitSet(leaf), doc);
    if (path != null) {
      last = Math.max(last, previous(NestedQueries.parents(path).getBitSet(leaf), doc));
    }
    return leaf.docBase + last;
  }

  private static int previous(@Nullable BitSet documents, int doc) {
    return documents == null || doc == 0 ? -1 : documents.prevSetBit(doc - 1);
  }

  private ShardHit hit(
      Plan plan, HitContext root, ScoreDoc found, List<@Nullable Object> sortValues)
      throws IOException {
    FetchPhase showing =
        new FetchPhase(context, translator, plan.hits, List.of(), null, plan.asked);
    List<ShardHit.Part> more = new ArrayList<>();
    if (plan.hits.parts().extras().explain()) {
      more.add(ExplanationPart.of(searcher.explain(plan.objects, found.doc)));
    }
    if (!plan.inner.isEmpty()) {
      more.add(new ShardHit.Part("inner_hits", json(plan.inner, root, found.doc, plan.path)));
    }
    return new NestedHits(searcher, context)
        .read(
            plan.path,
            root,
            found,
            new NestedHits.Shown(plan.hits, showing.parts(), sortValues),
            more);
  }
}
