package io.varve.engine.search;

import io.varve.search.query.CompoundQuery.Nested;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/** Queries on the parts of documents. */
final class NestedQueries {

  private final QueryContext context;

  NestedQueries(QueryContext context) {
    this.context = context;
  }

  Query of(Nested nested) {
    context.requireExpensive("[joining] queries");
    if (nested.ignoreUnmapped()) {
      return new MatchNoDocsQuery("no parts under [" + nested.path() + "]");
    }
    throw SearchErrors.shard(
        "[nested] failed to find nested object under path [" + nested.path() + "]");
  }
}
