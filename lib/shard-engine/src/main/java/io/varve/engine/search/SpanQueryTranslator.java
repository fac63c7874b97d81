package io.varve.engine.search;

import io.varve.engine.fields.MappedFields;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.PatternQuery.Prefix;
import io.varve.search.query.Query.Named;
import io.varve.search.query.SpanQuery.FieldMasking;
import io.varve.search.query.SpanQuery.SpanContaining;
import io.varve.search.query.SpanQuery.SpanFirst;
import io.varve.search.query.SpanQuery.SpanMulti;
import io.varve.search.query.SpanQuery.SpanNear;
import io.varve.search.query.SpanQuery.SpanNot;
import io.varve.search.query.SpanQuery.SpanOr;
import io.varve.search.query.SpanQuery.SpanTerm;
import io.varve.search.query.SpanQuery.SpanWithin;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.spans.FieldMaskingSpanQuery;
import org.apache.lucene.queries.spans.SpanContainingQuery;
import org.apache.lucene.queries.spans.SpanFirstQuery;
import org.apache.lucene.queries.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanNotQuery;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.queries.spans.SpanWithinQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/** Translates span queries. */
final class SpanQueryTranslator {

  private final QueryContext context;
  private final QueryTranslator translator;

  SpanQueryTranslator(QueryContext context, QueryTranslator translator) {
    this.context = context;
    this.translator = translator;
  }

  /** Without the boost, which the caller applies. */
  SpanQuery of(io.varve.search.query.SpanQuery query) {
    try {
      return switch (query) {
        case SpanTerm term -> term(term);
        case SpanNear near ->
            near.clauses().size() == 1
                ? inner(near.clauses().getFirst())
                : new SpanNearQuery(spans(near.clauses()), near.slop(), near.inOrder());
        case SpanOr or -> new SpanOrQuery(spans(or.clauses()));
        case SpanNot not ->
            new SpanNotQuery(inner(not.include()), inner(not.exclude()), not.pre(), not.post());
        case SpanFirst first -> new SpanFirstQuery(inner(first.match()), first.end());
        case SpanMulti multi -> multi(multi);
        case SpanContaining containing ->
            new SpanContainingQuery(inner(containing.big()), inner(containing.little()));
        case SpanWithin within -> new SpanWithinQuery(inner(within.big()), inner(within.little()));
        case FieldMasking masking ->
            new FieldMaskingSpanQuery(inner(masking.query()), path(masking.field()));
      };
    } catch (IllegalArgumentException e) {
      throw SearchErrors.failedToCreate(ErrorBody.illegalArgument(String.valueOf(e.getMessage())));
    }
  }

  private SpanQuery[] spans(List<io.varve.search.query.Query> clauses) {
    return clauses.stream().map(this::inner).toArray(SpanQuery[]::new);
  }

  private SpanQuery inner(io.varve.search.query.Query query) {
    return switch (query) {
      case Named named -> {
        SpanQuery inner = inner(named.query());
        context.named().put(named.name(), inner);
        yield inner;
      }
      case io.varve.search.query.SpanQuery span -> of(span);
      default -> throw SearchErrors.illegal("a clause of a span query must be a span query");
    };
  }

  private String path(String name) {
    LeafField field = context.leaf(name);
    return field == null ? name : field.path();
  }

  private SpanQuery term(SpanTerm term) {
    LeafField field = context.leaf(term.field());
    Term lucene =
        field == null
            ? new Term(term.field(), term.value().toString())
            : new Term(field.path(), MappedFields.keywordTerm(field, term.value().toString()));
    return new SpanTermQuery(lucene);
  }

  private SpanQuery multi(SpanMulti multi) {
    LeafField prefixed =
        multi.match() instanceof Prefix prefix ? context.leaf(prefix.field()) : null;
    if (prefixed != null && multi.match() instanceof Prefix prefix) {
      // Uses the field's own terms: those of the prefix field have other positions.
      return new SpanMultiTermQueryWrapper<>(
          new PrefixQuery(
              new Term(prefixed.path(), MappedFields.keywordTerm(prefixed, prefix.value()))));
    }
    Query query = translator.translate(multi.match());
    while (query instanceof ConstantScoreQuery constant) {
      query = constant.getQuery();
    }
    return switch (query) {
      case MultiTermQuery terms -> new SpanMultiTermQueryWrapper<>(terms);
      case TermQuery one -> new SpanTermQuery(one.getTerm());
      case MatchNoDocsQuery _ -> new SpanOrQuery();
      default ->
          throw SearchErrors.illegal(
              "unsupported inner query, should be a multi term query but was "
                  + query.getClass().getSimpleName());
    };
  }
}
