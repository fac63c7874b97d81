package io.varve.search.query;

import java.util.List;

/** A query on the positions of terms. */
public sealed interface SpanQuery extends Query {

  record SpanTerm(String field, Object value, float boost) implements SpanQuery {}

  record SpanNear(List<Query> clauses, int slop, boolean inOrder, float boost)
      implements SpanQuery {
    public SpanNear {
      clauses = List.copyOf(clauses);
    }
  }

  record SpanOr(List<Query> clauses, float boost) implements SpanQuery {
    public SpanOr {
      clauses = List.copyOf(clauses);
    }
  }

  record SpanNot(Query include, Query exclude, int pre, int post, float boost)
      implements SpanQuery {}

  record SpanFirst(Query match, int end, float boost) implements SpanQuery {}

  record SpanMulti(Query match, float boost) implements SpanQuery {}

  record SpanContaining(Query big, Query little, float boost) implements SpanQuery {}

  record SpanWithin(Query big, Query little, float boost) implements SpanQuery {}

  record FieldMasking(Query query, String field, float boost) implements SpanQuery {}
}
