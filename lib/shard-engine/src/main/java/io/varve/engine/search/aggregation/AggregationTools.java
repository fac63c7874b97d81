package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.IncludeExclude;
import io.varve.search.query.HitsRequest;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.OrdinalMap;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.ByteRunAutomaton;
import org.jspecify.annotations.Nullable;

/** The services of a search that its aggregations use. */
public interface AggregationTools {

  /** Translates a query of the query DSL to Lucene's. */
  Query query(io.varve.search.query.Query query);

  /**
   * Fetches hits of buckets.
   *
   * @param aggregation its name, for messages
   * @param scope the path of nested objects, or null for whole documents
   */
  HitReading hits(String aggregation, HitsRequest request, @Nullable String scope);

  /** The texts that the document's source has under these names. */
  List<String> texts(LeafReaderContext leaf, int doc, List<String> fields) throws IOException;

  /** Maximum number of filters of an adjacency matrix. */
  int maxAdjacencyFilters();

  /** Compiles regular expressions that select terms, within the limits of the index. */
  ByteRunAutomaton terms(IncludeExclude.Patterns patterns);

  /** Global ordinals of a field, cached with the reader; null for a single segment. */
  @Nullable OrdinalMap ordinals(String field) throws IOException;
}
