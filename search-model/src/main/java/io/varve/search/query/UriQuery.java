package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.query.Query.FieldBoost;
import io.varve.search.query.Query.FieldsType;
import io.varve.search.query.Query.Operator;
import io.varve.search.query.Query.TextOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The query of a URL: words, {@code "phrases"}, {@code field:word}, {@code pre*}, {@code +must},
 * {@code -not}, {@code AND}, {@code OR}, {@code NOT} and parentheses.
 *
 * <p>A word without a field is looked for in the default field, or in all fields that can hold it.
 */
public final class UriQuery {

  private static final TextOptions LENIENT =
      new TextOptions(Operator.OR, null, null, null, true, false);
  private static final int DEPTH_LIMIT = 50;

  private enum Occur {
    DEFAULT,
    MUST,
    NOT
  }

  private static final class Clause {
    final Query query;
    Occur occur;

    Clause(Query query, Occur occur) {
      this.query = query;
      this.occur = occur;
    }
  }

  private final String text;
  private final @Nullable String defaultField;
  private final Operator operator;
  private int position;
  private int depth;

  private UriQuery(String text, @Nullable String defaultField, Operator operator) {
    this.text = text;
    this.defaultField = defaultField;
    this.operator = operator;
  }

  /** Reads the text; a refusal names it. */
  public static Query parse(
      String text, @Nullable String defaultField, @Nullable String defaultOperator) {
    Operator operator = TextQueries.operator(defaultOperator, "query_string");
    UriQuery parser = new UriQuery(text, defaultField, operator);
    Query query = parser.clauses(false);
    if (parser.position < text.length()) {
      throw parser.refused();
    }
    return query;
  }

  private Query clauses(boolean inParentheses) {
    if (++depth > DEPTH_LIMIT) {
      throw refused();
    }
    List<Clause> clauses = new ArrayList<>();
    boolean and = false;
    while (true) {
      skipBlanks();
      if (position >= text.length() || text.charAt(position) == ')') {
        break;
      }
      if (word("AND") || word("&&")) {
        and = true;
        if (!clauses.isEmpty() && clauses.getLast().occur == Occur.DEFAULT) {
          clauses.getLast().occur = Occur.MUST;
        }
        continue;
      }
      if (word("OR") || word("||")) {
        continue;
      }
      clauses.add(clause(and));
      and = false;
    }
    if (inParentheses) {
      if (position >= text.length()) {
        throw refused();
      }
      position++;
    }
    depth--;
    return together(clauses);
  }

  private Clause clause(boolean and) {
    Occur occur = and ? Occur.MUST : Occur.DEFAULT;
    if (word("NOT")) {
      occur = Occur.NOT;
    } else if (accept('+')) {
      occur = Occur.MUST;
    } else if (accept('-') || accept('!')) {
      occur = Occur.NOT;
    }
    skipBlanks();
    return new Clause(unit(), occur);
  }

  private Query unit() {
    if (accept('(')) {
      return clauses(true);
    }
    if (position < text.length() && text.charAt(position) == '"') {
      return phrase(defaultField);
    }
    String word = bareWord();
    if (!accept(':')) {
      return ofWord(defaultField, word);
    }
    if (position < text.length() && text.charAt(position) == '"') {
      return phrase(word);
    }
    return ofWord(word, bareWord());
  }

  private Query phrase(@Nullable String field) {
    position++;
    int end = text.indexOf('"', position);
    if (end < 0) {
      throw refused();
    }
    String phrase = text.substring(position, end);
    position = end + 1;
    return field == null
        ? new Query.MultiMatch(everywhere(), phrase, FieldsType.PHRASE, 0, LENIENT, Query.NO_BOOST)
        : new Query.MatchPhrase(field, phrase, 0, null, Query.NO_BOOST);
  }

  private static Query ofWord(@Nullable String field, String word) {
    boolean pattern = word.indexOf('*') >= 0 || word.indexOf('?') >= 0;
    if (field == null) {
      return word.equals("*")
          ? new Query.MatchAll(Query.NO_BOOST)
          : new Query.MultiMatch(
              everywhere(), word, FieldsType.BEST_FIELDS, 0, LENIENT, Query.NO_BOOST);
    }
    if (field.equals("_exists_")) {
      return new Query.Exists(word, Query.NO_BOOST);
    }
    if (word.equals("*")) {
      return field.equals("*")
          ? new Query.MatchAll(Query.NO_BOOST)
          : new Query.Exists(field, Query.NO_BOOST);
    }
    return pattern
        ? new Query.Wildcard(field, word, true, Query.NO_BOOST)
        : new Query.Match(field, word, TextOptions.DEFAULT, Query.NO_BOOST);
  }

  private static List<FieldBoost> everywhere() {
    return List.of(new FieldBoost("*", Query.NO_BOOST));
  }

  private Query together(List<Clause> clauses) {
    if (clauses.size() == 1 && clauses.getFirst().occur != Occur.NOT) {
      return clauses.getFirst().query;
    }
    List<Query> must = new ArrayList<>();
    List<Query> should = new ArrayList<>();
    List<Query> not = new ArrayList<>();
    for (Clause clause : clauses) {
      List<Query> into =
          switch (clause.occur) {
            case MUST -> must;
            case NOT -> not;
            case DEFAULT -> operator == Operator.AND ? must : should;
          };
      into.add(clause.query);
    }
    return new Query.Bool(must, List.of(), should, not, null, Query.NO_BOOST);
  }

  private String bareWord() {
    StringBuilder word = new StringBuilder();
    while (position < text.length()) {
      char c = text.charAt(position);
      if (c == '\\' && position + 1 < text.length()) {
        word.append(text.charAt(position + 1));
        position += 2;
        continue;
      }
      if (Character.isWhitespace(c) || c == '(' || c == ')' || c == '"' || c == ':') {
        break;
      }
      if ("^~[]{}".indexOf(c) >= 0) {
        // Boosts, fuzzy words and ranges belong to the body's queries.
        throw refused();
      }
      word.append(c);
      position++;
    }
    if (word.isEmpty()) {
      throw refused();
    }
    return word.toString();
  }

  private boolean word(String operatorName) {
    int end = position + operatorName.length();
    boolean here =
        text.startsWith(operatorName, position)
            && (end >= text.length() || Character.isWhitespace(text.charAt(end)));
    if (here) {
      position = end;
    }
    return here;
  }

  private boolean accept(char wanted) {
    if (position < text.length() && text.charAt(position) == wanted) {
      position++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private ApiException refused() {
    return new ApiException(
        ErrorBody.of(400, "query_shard_exception", "Failed to parse query [" + text + "]"));
  }
}
