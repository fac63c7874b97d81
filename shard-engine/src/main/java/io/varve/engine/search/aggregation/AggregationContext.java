package io.varve.engine.search.aggregation;

import io.varve.search.mapping.Mapping;
import java.util.function.Function;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * Under what aggregations are executed.
 *
 * @param query what the documents match that are looked at
 * @param queries makes Lucene's of the dialect's queries
 * @param memory is charged for what buckets hold
 * @param everyDocument that matches is looked at, so that segments may be counted as a whole
 */
public record AggregationContext(
    IndexSearcher searcher,
    Mapping mapping,
    long nowMillis,
    Query query,
    Function<io.varve.search.query.Query, Query> queries,
    MemoryAccount memory,
    boolean everyDocument) {}
