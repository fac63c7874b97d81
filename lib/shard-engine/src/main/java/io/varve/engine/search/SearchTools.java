package io.varve.engine.search;

import io.varve.engine.search.aggregation.AggregationContext;
import io.varve.engine.search.aggregation.AggregationTools;
import io.varve.engine.search.aggregation.HitReading;
import io.varve.engine.source.SourceReader;
import io.varve.search.ShardSearchRequest;
import io.varve.search.aggregation.IncludeExclude;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.query.HitsRequest;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/** Gives the aggregations of a search access to its queries, hits and ordinals. */
final class SearchTools implements AggregationTools {

  private static final String MOST_HITS = "index.max_inner_result_window";
  private static final int DEFAULT_MOST_HITS = 100;

  /**
   * The search whose hits {@code top_hits} fetches.
   *
   * @param matching the query whose documents are aggregated
   * @param ordinal of the shard among the searched shards
   * @param searcher scores like the search
   */
  record Hits(ShardSearchRequest request, Query matching, int ordinal, IndexSearcher searcher) {}

  /** Loads global ordinals. */
  @FunctionalInterface
  interface Ordinals {
    @Nullable OrdinalMap of(String field) throws IOException;
  }

  private final QueryContext context;
  private final QueryTranslator translator;
  private final Hits hits;
  private final Ordinals ordinals;

  SearchTools(QueryContext context, QueryTranslator translator, Hits hits, Ordinals ordinals) {
    this.context = context;
    this.translator = translator;
    this.hits = hits;
    this.ordinals = ordinals;
  }

  AggregationContext.Ground ground() {
    return new AggregationContext.Ground(
        context.index().name(), context.mapping(), context.nowMillis());
  }

  @Override
  public Query query(io.varve.search.query.Query query) {
    return translator.translate(query);
  }

  @Override
  public int maxAdjacencyFilters() {
    return context.index().number("index.max_adjacency_matrix_filters", 100);
  }

  @Override
  public HitReading hits(String aggregation, HitsRequest request, @Nullable String scope) {
    long end = (long) request.page().from() + request.page().size();
    int most = context.index().number(MOST_HITS, DEFAULT_MOST_HITS);
    if (end > most) {
      throw SearchErrors.illegal(
          "Top hits result window is too large, the top hits aggregator ["
              + aggregation
              + "]'s from + size must be less than or equal to: ["
              + most
              + "] but was ["
              + end
              + "]. This limit can be set by changing the ["
              + MOST_HITS
              + "] index level setting.");
    }
    return new GroupHits(context, translator, hits, request, scope);
  }

  @Override
  public List<String> texts(LeafReaderContext leaf, int doc, List<String> fields)
      throws IOException {
    StoredHit stored = new StoredHit(true, Set.of());
    leaf.reader().storedFields().document(doc, stored);
    stored.derive(new SourceReader(leaf.reader()), doc, SourceFilter.ALL);
    byte[] source = stored.source();
    List<String> texts = new ArrayList<>();
    if (source != null) {
      SourceTree tree = SourceTree.parse(source);
      for (String field : fields) {
        tree.scalars(path(field)).forEach(value -> texts.add(value.toString()));
      }
    }
    return texts;
  }

  private String path(String field) {
    FieldMapping.LeafField leaf = context.leaf(field);
    return leaf == null ? field : SourceReading.sourcePath(context.mapping(), leaf);
  }

  @Override
  public ByteRunAutomaton terms(IncludeExclude.Patterns patterns) {
    try {
      Automaton all =
          patterns.include() == null ? Automata.makeAnyString() : automaton(patterns.include());
      if (patterns.exclude() != null) {
        all =
            Operations.minus(
                all, automaton(patterns.exclude()), Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
      }
      return new ByteRunAutomaton(
          Operations.determinize(all, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT));
    } catch (IllegalArgumentException e) {
      throw SearchErrors.illegal("failed to parse a regular expression: " + e.getMessage());
    }
  }

  private Automaton automaton(String pattern) {
    PatternGate gate = context.patterns();
    gate.checkLength(pattern);
    RegExp expression = new RegExp(pattern);
    return gate.compile(
        expression,
        gate.defaultStates(),
        states -> Operations.determinize(expression.toAutomaton(), states));
  }

  @Override
  public @Nullable OrdinalMap ordinals(String field) throws IOException {
    return ordinals.of(field);
  }
}
