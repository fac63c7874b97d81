package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.grouping.FirstPassGroupingCollector;
import org.apache.lucene.search.grouping.GroupDocs;
import org.apache.lucene.search.grouping.SearchGroup;
import org.apache.lucene.search.grouping.TopGroups;
import org.apache.lucene.search.grouping.TopGroupsCollector;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Collapses hits: only the best hit for each value of a field. The first pass finds the best
 * groups, the second the best document of each. Documents without a value form one group.
 */
final class Grouping {

  private final String name;
  private final LeafField field;
  private final IdentityHashMap<ScoreDoc, @Nullable Object> groups = new IdentityHashMap<>();

  Grouping(QueryContext context, String name) {
    LeafField found = context.leaf(name);
    if (found == null) {
      throw SearchErrors.illegal("no mapping found for `" + name + "` in order to collapse on");
    }
    boolean able = found.type() == FieldType.KEYWORD || NumberReading.isNumeric(found);
    if (!able) {
      throw SearchErrors.illegal(
          "unknown type for collapse field `" + name + "`, only keywords and numbers are accepted");
    }
    if (!found.docValues()) {
      throw SearchErrors.illegal("cannot collapse on field `" + name + "` without `doc_values`");
    }
    this.name = name;
    this.field = found;
  }

  /**
   * @param cut whether documents were skipped because the maximum number had been visited
   */
  record Found(TopFieldDocs top, boolean cut) {}

  /** The field's name as in the request. */
  String name() {
    return name;
  }

  LeafField field() {
    return field;
  }

  /** The group's value in the response. */
  @Nullable Object group(ScoreDoc document) {
    return groups.get(document);
  }

  /**
   * @param most maximum number of documents to visit, 0 for unlimited
   */
  Found find(IndexSearcher searcher, Query query, Sort sort, int count, int most)
      throws IOException {
    FirstPassGroupingCollector<Object> first =
        new FirstPassGroupingCollector<>(GroupValues.of(field), sort, count);
    boolean cut = collect(searcher, query, first, most);
    Collection<SearchGroup<Object>> best = first.getTopGroups(0);
    if (best == null) {
      return new Found(nothing(searcher, query, sort), cut);
    }
    TopGroupsCollector<Object> second =
        new TopGroupsCollector<>(GroupValues.of(field), best, sort, sort, 1, sort.needsScores());
    collect(searcher, query, second, most);
    TopGroups<Object> found = second.getTopGroups(0);
    List<ScoreDoc> documents = new ArrayList<>();
    for (GroupDocs<Object> group : found.groups) {
      if (group.scoreDocs().length > 0) {
        ScoreDoc document = group.scoreDocs()[0];
        Object value = group.groupValue();
        groups.put(
            document, value instanceof BytesRef term ? DocValueReading.term(field, term) : value);
        documents.add(document);
      }
    }
    TopFieldDocs top =
        new TopFieldDocs(
            new TotalHits(found.totalHitCount, TotalHits.Relation.EQUAL_TO),
            documents.toArray(ScoreDoc[]::new),
            sort.getSort());
    return new Found(top, cut);
  }

  /** Returns whether documents were skipped. */
  private static boolean collect(IndexSearcher searcher, Query query, Collector only, int most)
      throws IOException {
    One<Collector> one = new One<>(only);
    if (most == 0) {
      searcher.search(query, one);
      return false;
    }
    BoundedCollecting<Collector, Collector> bounded = new BoundedCollecting<>(one, null, most);
    searcher.search(query, bounded);
    return bounded.cut();
  }

  /** Groups are found by a single collector, on a searcher without an executor. */
  private record One<C extends Collector>(C only) implements CollectorManager<C, C> {
    @Override
    public C newCollector() {
      return only;
    }

    @Override
    public C reduce(Collection<C> collectors) {
      return only;
    }
  }

  private static TopFieldDocs nothing(IndexSearcher searcher, Query query, Sort sort)
      throws IOException {
    return new TopFieldDocs(
        new TotalHits(searcher.count(query), TotalHits.Relation.EQUAL_TO),
        new FieldDoc[0],
        sort.getSort());
  }
}
