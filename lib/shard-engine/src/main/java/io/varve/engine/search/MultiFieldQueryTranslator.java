package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.FullTextQuery.CombinedFields;
import io.varve.search.query.FullTextQuery.MatchBoolPrefix;
import io.varve.search.query.FullTextQuery.MatchPhrasePrefix;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.Fuzzing;
import io.varve.search.query.Query.Match;
import io.varve.search.query.Query.MatchPhrase;
import io.varve.search.query.Query.MultiMatch;
import io.varve.search.query.Query.TextOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;

/** Translates {@code multi_match} and related queries, combining the scores of several fields. */
final class MultiFieldQueryTranslator {

  private final QueryContext context;
  private final QueryTranslator translator;

  MultiFieldQueryTranslator(QueryContext context, QueryTranslator translator) {
    this.context = context;
    this.translator = translator;
  }

  /** A field to search, with its boost; lenient if it was found by a pattern. */
  record Wanted(String field, float boost, boolean lenient) {}

  /** Expands names and patterns to fields, each once, with boosts multiplied. */
  List<Wanted> wanted(List<FieldBoost> names, boolean lenient) {
    Map<String, Wanted> wanted = new LinkedHashMap<>();
    for (FieldBoost name : names) {
      if (name.field().indexOf('*') < 0) {
        merge(wanted, new Wanted(name.field(), name.boost(), lenient));
      } else {
        for (LeafField field : context.fields(name.field())) {
          merge(wanted, new Wanted(field.path(), name.boost(), true));
        }
      }
    }
    return new ArrayList<>(wanted.values());
  }

  private static void merge(Map<String, Wanted> into, Wanted one) {
    into.merge(
        one.field, one, (a, b) -> new Wanted(a.field, a.boost * b.boost, a.lenient && b.lenient));
  }

  Query multiMatch(MultiMatch multi) {
    List<FieldBoost> names = multi.fields().isEmpty() ? translator.defaultFields() : multi.fields();
    List<Wanted> fields = wanted(names, multi.options().lenient());
    if (multi.type() == FieldsType.CROSS_FIELDS) {
      return crossFields(multi, fields);
    }
    List<Query> queries = new ArrayList<>();
    for (Wanted field : fields) {
      queries.add(boosted(oneOf(multi, field), field.boost));
    }
    return together(queries, multi.tieBreaker());
  }

  static Query together(List<Query> queries, float tieBreaker) {
    return switch (queries.size()) {
      case 0 -> new MatchNoDocsQuery("no fields to search");
      case 1 -> queries.getFirst();
      default -> new DisjunctionMaxQuery(queries, Math.clamp(tieBreaker, 0f, 1f));
    };
  }

  static Query boosted(Query query, float boost) {
    return boost == 1 ? query : new BoostQuery(query, boost);
  }

  private Query oneOf(MultiMatch multi, Wanted wanted) {
    TextOptions options = multi.options();
    String analyzer = options.analyzer();
    io.varve.search.query.Query query =
        switch (multi.type()) {
          case PHRASE ->
              new MatchPhrase(
                  wanted.field,
                  multi.text(),
                  multi.slop(),
                  options.analysis(),
                  options.zeroTermsAll(),
                  1);
          case PHRASE_PREFIX ->
              new MatchPhrasePrefix(
                  wanted.field,
                  multi.text(),
                  multi.slop(),
                  options.fuzzing().maxExpansions(),
                  analyzer,
                  options.zeroTermsAll(),
                  1);
          case BOOL_PREFIX -> new MatchBoolPrefix(wanted.field, multi.text(), options, 1);
          default -> new Match(wanted.field, multi.text(), options, 1);
        };
    return leniently(query, wanted.lenient);
  }

  /**
   * If lenient, a field whose type can't represent the text matches nothing, instead of failing the
   * search.
   */
  Query leniently(io.varve.search.query.Query query, boolean lenient) {
    try {
      return translator.translate(query);
    } catch (ApiException e) {
      if (!lenient) {
        throw e;
      }
      return new MatchNoDocsQuery(e.error().reason());
    }
  }

  /** Fields with the same analyzer are searched as one: each word may be in any of them. */
  private Query crossFields(MultiMatch multi, List<Wanted> fields) {
    Map<Analyzer, List<Wanted>> groups = new LinkedHashMap<>();
    List<Query> queries = new ArrayList<>();
    for (Wanted wanted : fields) {
      LeafField field = context.leaf(wanted.field);
      if (field != null && field.type().isText()) {
        groups
            .computeIfAbsent(
                context.analyzer(field, multi.options().analyzer()), _ -> new ArrayList<>())
            .add(wanted);
      } else if (field != null) {
        Match match = new Match(wanted.field, multi.text(), multi.options(), 1);
        queries.add(boosted(leniently(match, wanted.lenient), wanted.boost));
      }
    }
    groups.forEach((analyzer, group) -> queries.add(blended(multi, analyzer, group)));
    return together(queries, multi.tieBreaker());
  }

  private static Query blended(MultiMatch multi, Analyzer analyzer, List<Wanted> group) {
    TextQueryBuilder builder =
        new TextQueryBuilder(analyzer, Fuzzing.NONE, multi.options().analysis()) {
          @Override
          protected Query newTermQuery(Term term, float boost) {
            List<BlendedFieldsQuery.Part> parts = new ArrayList<>();
            for (Wanted field : group) {
              parts.add(
                  new BlendedFieldsQuery.Part(
                      new Term(field.field, term.bytes()), field.boost * boost));
            }
            return new BlendedFieldsQuery(parts, Math.clamp(multi.tieBreaker(), 0f, 1f));
          }

          @Override
          protected Query newSynonymQuery(String field, TermAndBoost[] terms) {
            List<Query> each = new ArrayList<>();
            for (TermAndBoost term : terms) {
              each.add(newTermQuery(new Term(field, term.term()), term.boost()));
            }
            return new DisjunctionMaxQuery(each, 0);
          }
        };
    Query query =
        builder.createBooleanQuery(
            group.getFirst().field,
            multi.text().toString(),
            TextQueryTranslator.occur(multi.options()));
    if (query == null) {
      return TextQueryTranslator.noWords(multi.options().zeroTermsAll());
    }
    String minimum = multi.options().minimumShouldMatch();
    return minimum == null ? query : TextQueryTranslator.withMinimum(query, minimum);
  }

  /** Scores several text fields as one combined field. */
  Query combinedFields(CombinedFields combined) {
    List<Wanted> fields = new ArrayList<>();
    Analyzer analyzer = null;
    for (Wanted wanted : wanted(combined.fields(), false)) {
      LeafField field = context.leaf(wanted.field);
      if (field == null) {
        continue;
      }
      if (!field.type().isText()) {
        if (wanted.lenient) {
          continue;
        }
        throw SearchErrors.failedToCreate(
            ErrorBody.illegalArgument(
                "Field ["
                    + wanted.field
                    + "] of type ["
                    + field.type().json()
                    + "] does not support [combined_fields] queries"));
      }
      Analyzer own = context.analyzer(field, null);
      if (analyzer != null && !own.equals(analyzer)) {
        throw SearchErrors.failedToCreate(
            ErrorBody.illegalArgument(
                "All fields in [combined_fields] query must have the same search analyzer"));
      }
      analyzer = own;
      fields.add(wanted);
    }
    if (analyzer == null) {
      return new MatchNoDocsQuery("no fields to search");
    }
    return combined(combined, fields, analyzer);
  }

  private static Query combined(CombinedFields combined, List<Wanted> fields, Analyzer analyzer) {
    List<TextQueryBuilder.Position> positions =
        TextQueryBuilder.positions(analyzer, fields.getFirst().field, combined.text().toString());
    if (positions.isEmpty()) {
      return TextQueryTranslator.noWords(combined.options().zeroTermsAll());
    }
    BooleanQuery.Builder bool = new BooleanQuery.Builder();
    for (TextQueryBuilder.Position position : positions) {
      List<Query> each = new ArrayList<>();
      for (BytesRef term : position.terms()) {
        CombinedFieldQuery.Builder builder = new CombinedFieldQuery.Builder(term);
        fields.forEach(field -> builder.addField(field.field, field.boost));
        each.add(builder.build());
      }
      bool.add(together(each, 0), TextQueryTranslator.occur(combined.options()));
    }
    String minimum = combined.options().minimumShouldMatch();
    return minimum == null ? bool.build() : TextQueryTranslator.withMinimum(bool.build(), minimum);
  }
}
