package io.varve.engine.search;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.query.IntervalQuery;
import io.varve.search.query.IntervalQuery.Filter;
import io.varve.search.query.IntervalQuery.Mode;
import io.varve.search.query.IntervalQuery.Rule;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.CompiledAutomaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.jspecify.annotations.Nullable;

/** Translates interval rules to Lucene's intervals. */
final class IntervalQueryTranslator {

  private final QueryContext context;

  IntervalQueryTranslator(QueryContext context) {
    this.context = context;
  }

  Query of(IntervalQuery query) {
    LeafField field = context.leaf(query.field());
    if (field == null) {
      return new MatchNoDocsQuery("unmapped field [" + query.field() + "]");
    }
    try {
      return new org.apache.lucene.queries.intervals.IntervalQuery(
          field.path(), source(textField(field), query.rule()));
    } catch (IOException e) {
      throw new UncheckedIOException("analyzing the text of intervals", e);
    }
  }

  private static LeafField textField(LeafField field) {
    if (!field.type().isText() || !field.indexed()) {
      throw SearchErrors.failedToCreate(
          ErrorBody.illegalArgument(
              "Can only use interval queries on text fields - not on ["
                  + field.path()
                  + "] which is of type ["
                  + field.type().json()
                  + "]"));
    }
    return field;
  }

  private IntervalsSource source(LeafField field, Rule rule) throws IOException {
    return switch (rule) {
      case Rule.Match match -> match(field, match);
      case Rule.Prefix prefix ->
          onField(
              field,
              prefix.useField(),
              on ->
                  Intervals.prefix(
                      normalized(on, prefix.analyzer(), prefix.prefix()),
                      Intervals.DEFAULT_MAX_EXPANSIONS));
      case Rule.Wildcard wildcard ->
          onField(
              field,
              wildcard.useField(),
              _ -> Intervals.wildcard(new BytesRef(wildcard.pattern()), wildcard.maxExpansions()));
      case Rule.Regexp regexp -> onField(field, regexp.useField(), _ -> regexp(regexp));
      case Rule.Fuzzy fuzzy ->
          onField(
              field,
              fuzzy.useField(),
              on -> {
                String term = normalized(on, fuzzy.analyzer(), fuzzy.term()).utf8ToString();
                return Intervals.fuzzyTerm(
                    term,
                    TextQueryBuilder.edits(String.valueOf(fuzzy.fuzzing().fuzziness()), term),
                    fuzzy.fuzzing().prefixLength(),
                    fuzzy.fuzzing().transpositions(),
                    fuzzy.fuzzing().maxExpansions());
              });
      case Rule.AllOf all ->
          filtered(
              field,
              combined(sources(field, all.rules()), all.maxGaps(), all.mode()),
              all.filter());
      case Rule.AnyOf any ->
          filtered(field, Intervals.or(sources(field, any.rules())), any.filter());
    };
  }

  private List<IntervalsSource> sources(LeafField field, List<Rule> rules) throws IOException {
    List<IntervalsSource> sources = new ArrayList<>();
    for (Rule rule : rules) {
      sources.add(source(field, rule));
    }
    return sources;
  }

  private interface Making {
    IntervalsSource on(LeafField field) throws IOException;
  }

  private IntervalsSource onField(LeafField field, @Nullable String useField, Making making)
      throws IOException {
    if (useField == null) {
      return making.on(field);
    }
    LeafField other = context.leaf(useField);
    if (other == null) {
      return Intervals.noIntervals("unmapped field [" + useField + "]");
    }
    return Intervals.fixField(other.path(), making.on(textField(other)));
  }

  private IntervalsSource match(LeafField field, Rule.Match match) throws IOException {
    IntervalsSource source = onField(field, match.useField(), on -> words(on, match));
    return filtered(field, source, match.filter());
  }

  private IntervalsSource words(LeafField field, Rule.Match match) {
    Analyzer analyzer = context.analyzer(field, match.analyzer());
    List<IntervalsSource> sources = new ArrayList<>();
    for (TextQueryBuilder.Position position :
        TextQueryBuilder.positions(analyzer, field.path(), match.query())) {
      List<IntervalsSource> alternatives = position.terms().stream().map(Intervals::term).toList();
      sources.add(alternatives.size() == 1 ? alternatives.getFirst() : Intervals.or(alternatives));
    }
    return combined(sources, match.maxGaps(), match.mode());
  }

  private static IntervalsSource combined(List<IntervalsSource> sources, int maxGaps, Mode mode) {
    if (sources.isEmpty()) {
      return Intervals.noIntervals("no words");
    }
    if (sources.size() == 1) {
      return sources.getFirst();
    }
    IntervalsSource[] array = sources.toArray(IntervalsSource[]::new);
    if (maxGaps == 0 && mode == Mode.ORDERED) {
      return Intervals.phrase(array);
    }
    IntervalsSource together =
        switch (mode) {
          case ORDERED -> Intervals.ordered(array);
          case UNORDERED -> Intervals.unordered(array);
          case UNORDERED_NO_OVERLAP -> {
            IntervalsSource pair = array[0];
            for (int i = 1; i < array.length; i++) {
              pair = limited(Intervals.unorderedNoOverlaps(pair, array[i]), maxGaps);
            }
            yield pair;
          }
        };
    return mode == Mode.UNORDERED_NO_OVERLAP ? together : limited(together, maxGaps);
  }

  private static IntervalsSource limited(IntervalsSource source, int maxGaps) {
    return maxGaps < 0 ? source : Intervals.maxgaps(maxGaps, source);
  }

  /** Lucene checks the number of expanded terms while it searches, and throws this exception. */
  static RuntimeException refused(IllegalStateException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.contains("expanded to too many terms") ? SearchErrors.illegal(reason) : e;
  }

  private IntervalsSource regexp(Rule.Regexp regexp) {
    PatternGate patterns = context.patterns();
    patterns.checkLength(regexp.pattern());
    RegExp expression =
        new RegExp(
            regexp.pattern(),
            PatternQueryTranslator.syntax(regexp.flags()),
            regexp.caseInsensitive() ? RegExp.CASE_INSENSITIVE : 0);
    return Intervals.multiterm(
        patterns.compile(
            expression,
            patterns.defaultStates(),
            states ->
                new CompiledAutomaton(Operations.determinize(expression.toAutomaton(), states))),
        regexp.maxExpansions(),
        regexp.pattern());
  }

  private BytesRef normalized(LeafField field, @Nullable String analyzer, String text) {
    return context.analyzer(field, analyzer).normalize(field.path(), text);
  }

  private IntervalsSource filtered(LeafField field, IntervalsSource source, @Nullable Filter filter)
      throws IOException {
    if (filter == null) {
      return source;
    }
    IntervalsSource other = source(field, filter.rule());
    UnaryOperator<IntervalsSource> relation =
        switch (filter.relation()) {
          case "containing" -> s -> Intervals.containing(s, other);
          case "contained_by" -> s -> Intervals.containedBy(s, other);
          case "not_containing" -> s -> Intervals.notContaining(s, other);
          case "not_contained_by" -> s -> Intervals.notContainedBy(s, other);
          case "overlapping" -> s -> Intervals.overlapping(s, other);
          case "not_overlapping" -> s -> Intervals.nonOverlapping(s, other);
          case "before" -> s -> Intervals.before(s, other);
          case "after" -> s -> Intervals.after(s, other);
          default ->
              throw new IllegalStateException("unknown interval relation: " + filter.relation());
        };
    return relation.apply(source);
  }
}
