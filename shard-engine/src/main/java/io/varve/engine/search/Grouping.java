package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.grouping.FirstPassGroupingCollector;
import org.apache.lucene.search.grouping.GroupDocs;
import org.apache.lucene.search.grouping.GroupSelector;
import org.apache.lucene.search.grouping.SearchGroup;
import org.apache.lucene.search.grouping.TopGroups;
import org.apache.lucene.search.grouping.TopGroupsCollector;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Of all hits with one value of a field the best alone: a first pass finds the best groups, a
 * second the best document of each. Documents without a value are one group.
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

  /** As the request names it. */
  String name() {
    return name;
  }

  LeafField field() {
    return field;
  }

  /** As an answer shows it. */
  @Nullable Object group(ScoreDoc document) {
    return groups.get(document);
  }

  TopFieldDocs find(IndexSearcher searcher, Query query, Sort sort, int count) throws IOException {
    FirstPassGroupingCollector<Object> first =
        new FirstPassGroupingCollector<>(selector(), sort, count);
    searcher.search(query, new One<>(first));
    Collection<SearchGroup<Object>> best = first.getTopGroups(0);
    if (best == null) {
      return nothing(searcher, query, sort);
    }
    TopGroupsCollector<Object> second =
        new TopGroupsCollector<>(selector(), best, sort, sort, 1, sort.needsScores());
    searcher.search(query, new One<>(second));
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
    return new TopFieldDocs(
        new TotalHits(found.totalHitCount, TotalHits.Relation.EQUAL_TO),
        documents.toArray(ScoreDoc[]::new),
        sort.getSort());
  }

  /** Groups are found by one collector alone, on a searcher without threads of its own. */
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

  private GroupSelector<Object> selector() {
    return field.type() == FieldType.KEYWORD ? new Terms(field) : new Numbers(field);
  }

  /** The group of a document, of those that are wanted. */
  private abstract static class Values extends GroupSelector<Object> {
    private @Nullable Set<@Nullable Object> wanted;

    @Override
    public void setScorer(Scorable scorer) {
      // A group hangs on values alone.
    }

    @Override
    public void setGroups(Collection<SearchGroup<Object>> chosen) {
      Set<@Nullable Object> values = new HashSet<>();
      chosen.forEach(group -> values.add(group.groupValue));
      wanted = values;
    }

    State state(@Nullable Object value) {
      return wanted == null || wanted.contains(value) ? State.ACCEPT : State.SKIP;
    }

    static RuntimeException several(LeafField field) {
      return SearchErrors.failed(
          ErrorBody.illegalArgument(
              "failed to extract doc, the collapse field ["
                  + field.path()
                  + "] must be single valued"));
    }
  }

  private static final class Numbers extends Values {
    private final LeafField field;
    private final DocValueReading.LongShown shown;
    private SortedNumericDocValues values = DocValues.emptySortedNumeric();
    private @Nullable Object value;

    Numbers(LeafField field) {
      this.field = field;
      // The number itself: two dates of one day are not one group.
      this.shown =
          field.type() == FieldType.DATE
              ? millis -> (Long) millis
              : DocValueReading.shown(field, null);
    }

    @Override
    public void setNextReader(LeafReaderContext leaf) throws IOException {
      values = DocValues.getSortedNumeric(leaf.reader(), field.path());
    }

    @Override
    public State advanceTo(int doc) throws IOException {
      if (!values.advanceExact(doc)) {
        value = null;
      } else if (values.docValueCount() > 1) {
        throw several(field);
      } else {
        value = shown.of(values.nextValue());
      }
      return state(value);
    }

    @Override
    public @Nullable Object currentValue() {
      return value;
    }

    @Override
    public @Nullable Object copyValue() {
      return value;
    }
  }

  private static final class Terms extends Values {
    private final LeafField field;
    private SortedSetDocValues values = DocValues.emptySortedSet();
    private @Nullable BytesRef value;

    Terms(LeafField field) {
      this.field = field;
    }

    @Override
    public void setNextReader(LeafReaderContext leaf) throws IOException {
      values = DocValues.getSortedSet(leaf.reader(), field.path());
    }

    @Override
    public State advanceTo(int doc) throws IOException {
      if (!values.advanceExact(doc)) {
        value = null;
      } else if (values.docValueCount() > 1) {
        throw several(field);
      } else {
        value = values.lookupOrd(values.nextOrd());
      }
      return state(value);
    }

    @Override
    public @Nullable Object currentValue() {
      return value;
    }

    @Override
    public @Nullable Object copyValue() {
      return value == null ? null : BytesRef.deepCopyOf(value);
    }
  }
}
