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

/** What a search can do for aggregations. */
public interface AggregationTools {

  /** Lucene's of one of the dialect's queries. */
  Query query(io.varve.search.query.Query query);

  /**
   * Reads hits of groups.
   *
   * @param aggregation its name, for messages
   * @param scope the nested object that documents are, or null for whole documents
   */
  HitReading hits(String aggregation, HitsRequest request, @Nullable String scope);

  /** The texts of a document under some names of its source. */
  List<String> texts(LeafReaderContext leaf, int doc, List<String> fields) throws IOException;

  /** Filters that one adjacency matrix may have. */
  int maxAdjacencyFilters();

  /** Compiles the regular expressions that choose terms, within the limits of the index. */
  ByteRunAutomaton terms(IncludeExclude.Patterns patterns);

  /** Numbers for the terms of all segments, held as long as the reader; null for one segment. */
  @Nullable OrdinalMap ordinals(String field) throws IOException;
}
