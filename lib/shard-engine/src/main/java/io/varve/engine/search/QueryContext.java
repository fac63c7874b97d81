package io.varve.engine.search;

import io.varve.engine.fields.FieldAnalyzers;
import io.varve.engine.search.aggregation.MemoryBreaker;
import io.varve.rpc.ErrorBody;
import io.varve.search.ShardSearchContext;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import io.varve.search.source.NamePattern;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;

/**
 * The context in which the queries of one search are translated; collects named queries and inner
 * hits. Used by one thread.
 */
final class QueryContext {

  private final IndexView index;
  private final IndexSearcher searcher;
  private final long nowMillis;
  private final ShardSearchContext searchContext;
  private final PatternGate patterns;
  private final Map<String, Query> named = new LinkedHashMap<>();
  private List<InnerHitsPart.Plan> innerHits = new ArrayList<>();
  private @Nullable String nestedPath;

  /**
   * @param breaker limits the memory for compiling patterns
   */
  QueryContext(
      IndexView index,
      IndexSearcher searcher,
      long nowMillis,
      ShardSearchContext searchContext,
      MemoryBreaker breaker) {
    this.index = index;
    this.searcher = searcher;
    this.nowMillis = nowMillis;
    this.searchContext = searchContext;
    this.patterns = new PatternGate(index, breaker);
  }

  IndexView index() {
    return index;
  }

  Mapping mapping() {
    return index.mapping();
  }

  IndexSearcher searcher() {
    return searcher;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** The compiler of regular expressions. */
  PatternGate patterns() {
    return patterns;
  }

  ShardSearchContext searchContext() {
    return searchContext;
  }

  /** Named queries in request order. */
  Map<String, Query> named() {
    return named;
  }

  /** The nested path in scope, or null for whole documents. */
  @Nullable String nestedPath() {
    return nestedPath;
  }

  /** Translates within a nested path; inner hits inside belong to that path's own plan. */
  Query within(String path, InnerHitsPart.@Nullable Plan plan, Supplier<Query> translation) {
    String pathAround = nestedPath;
    List<InnerHitsPart.Plan> plansAround = innerHits;
    nestedPath = path;
    innerHits = plan == null ? plansAround : plan.inner;
    try {
      return translation.get();
    } finally {
      nestedPath = pathAround;
      innerHits = plansAround;
    }
  }

  /** Translates a query that is not part of the search: its names and inner hits are discarded. */
  Query aside(Supplier<Query> translation) {
    List<InnerHitsPart.Plan> plansBefore = innerHits;
    Map<String, Query> namedBefore = new LinkedHashMap<>(named);
    innerHits = new ArrayList<>();
    try {
      return translation.get();
    } finally {
      innerHits = plansBefore;
      named.clear();
      named.putAll(namedBefore);
    }
  }

  void addInnerHits(InnerHitsPart.Plan plan) {
    for (InnerHitsPart.Plan other : innerHits) {
      if (other.name.equals(plan.name)) {
        throw SearchErrors.illegal(
            "[inner_hits] already contains an entry for key [" + plan.name + "]");
      }
    }
    innerHits.add(plan);
  }

  /** Inner hits of the search's own queries. */
  List<InnerHitsPart.Plan> innerHits() {
    return innerHits;
  }

  @Nullable LeafField leaf(String name) {
    return mapping().leaf(name);
  }

  /** Returns the field if it can be searched. */
  static LeafField searchable(LeafField field) {
    if (field.indexed() || field.docValues()) {
      return field;
    }
    throw notIndexed(field);
  }

  static RuntimeException notIndexed(LeafField field) {
    return SearchErrors.failedToCreate(
        ErrorBody.illegalArgument(
            "Cannot search on field [" + field.path() + "] since it is not indexed."));
  }

  /** Rejects an expensive query if those are disabled. */
  void requireExpensive(String what) {
    requireExpensive(what, "");
  }

  void requireExpensive(String what, String hint) {
    if (!searchContext.allowExpensive()) {
      throw SearchErrors.failedToCreate(
          ErrorBody.of(
              400,
              "exception",
              what
                  + " cannot be executed when 'search.allow_expensive_queries' is set to false."
                  + hint));
    }
  }

  /** The fields that match a pattern and can be searched without being named. */
  List<LeafField> fields(String pattern) {
    if (pattern.indexOf('*') < 0) {
      LeafField exact = leaf(pattern);
      return exact == null ? List.of() : List.of(exact);
    }
    NamePattern names = new NamePattern(pattern);
    List<LeafField> fields = new ArrayList<>();
    for (Map.Entry<String, LeafField> entry : mapping().leaves().entrySet()) {
      LeafField field = entry.getValue();
      if (names.matches(entry.getKey()) && field.indexed() && field.type() != FieldType.GEO_POINT) {
        fields.add(field);
      }
    }
    return fields;
  }

  Analyzer analyzer(LeafField field, @Nullable String name) {
    if (name == null) {
      return FieldAnalyzers.forSearching(field);
    }
    Analyzer named = FieldAnalyzers.named(field, name);
    if (named == null) {
      throw SearchErrors.shard("[match] analyzer [" + name + "] not found");
    }
    return named;
  }
}
