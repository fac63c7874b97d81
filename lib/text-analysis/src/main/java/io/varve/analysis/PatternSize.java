package io.varve.analysis;

import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

/**
 * An upper bound of the states and ranges of a regular expression before it is determinized.
 *
 * <p>A repetition copies its operand, so nested repetitions multiply; an intersection pairs the
 * states of both sides; a complement is determinized first, which may take two to the power of its
 * states but stops at Lucene's own limit. The bound is a double because it may exceed every
 * integer.
 */
public final class PatternSize {

  /** Digits of a number in an interval, and the states for each of them. */
  private static final int INTERVAL_STATES = 20 * 20;

  private PatternSize() {}

  public static double states(RegExp expression) {
    return switch (expression.kind) {
      case REGEXP_UNION, REGEXP_CONCATENATION ->
          1 + states(expression.exp1) + states(expression.exp2);
      case REGEXP_INTERSECTION -> states(expression.exp1) * states(expression.exp2);
      case REGEXP_OPTIONAL, REGEXP_REPEAT -> 1 + states(expression.exp1);
      case REGEXP_REPEAT_MIN -> states(expression.exp1) * (1.0 + expression.min);
      case REGEXP_REPEAT_MINMAX -> states(expression.exp1) * Math.max(1.0, expression.max);
      case REGEXP_COMPLEMENT, REGEXP_DEPRECATED_COMPLEMENT -> {
        double inner = states(expression.exp1);
        double most = Math.max(inner, Operations.DEFAULT_DETERMINIZE_WORK_LIMIT);
        yield Math.min(Math.pow(2, inner), most);
      }
      case REGEXP_CHAR_CLASS -> 2.0 + expression.from.length;
      case REGEXP_STRING -> 1.0 + expression.s.length();
      case REGEXP_INTERVAL -> INTERVAL_STATES;
      case REGEXP_CHAR, REGEXP_CHAR_RANGE, REGEXP_ANYCHAR -> 2;
      case REGEXP_EMPTY, REGEXP_ANYSTRING, REGEXP_AUTOMATON -> 1;
    };
  }
}
