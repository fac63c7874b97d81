package io.varve.engine.search;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.MultiTermQuery.RewriteMethod;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;

/** Creates case-insensitive term queries. */
final class Automatons {

  private Automatons() {}

  static Query term(String field, String text, RewriteMethod rewrite) {
    return query(field, text, literal(text), rewrite);
  }

  static Query prefix(String field, String text, RewriteMethod rewrite) {
    return query(
        field,
        text,
        Operations.concatenate(List.of(literal(text), Automata.makeAnyString())),
        rewrite);
  }

  /**
   * Translates a wildcard pattern: {@code *} any characters, {@code ?} one character, a backslash
   * escapes.
   */
  static Query wildcard(String field, String pattern, RewriteMethod rewrite) {
    List<Automaton> parts = new ArrayList<>();
    for (int i = 0; i < pattern.length(); ) {
      int c = pattern.codePointAt(i);
      i += Character.charCount(c);
      if (c == '*') {
        parts.add(Automata.makeAnyString());
      } else if (c == '?') {
        parts.add(Automata.makeAnyChar());
      } else if (c == '\\' && i < pattern.length()) {
        int escaped = pattern.codePointAt(i);
        i += Character.charCount(escaped);
        parts.add(anyCase(escaped));
      } else {
        parts.add(anyCase(c));
      }
    }
    return query(field, pattern, Operations.concatenate(parts), rewrite);
  }

  private static Query query(
      String field, String text, Automaton automaton, RewriteMethod rewrite) {
    return new AutomatonQuery(
        new Term(field, text),
        Operations.determinize(automaton, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT),
        false,
        rewrite);
  }

  private static Automaton literal(String text) {
    return Operations.concatenate(text.codePoints().mapToObj(Automatons::anyCase).toList());
  }

  private static Automaton anyCase(int c) {
    int lower = Character.toLowerCase(c);
    int upper = Character.toUpperCase(c);
    if (lower == upper) {
      return Automata.makeChar(c);
    }
    return Operations.union(List.of(Automata.makeChar(lower), Automata.makeChar(upper)));
  }
}
