package io.varve.engine.search;

import io.varve.analysis.PatternSize;
import io.varve.engine.search.aggregation.MemoryAccount;
import io.varve.engine.search.aggregation.MemoryBreaker;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/**
 * Compiles regular expressions within limits. Lucene can't be interrupted while it determinizes an
 * automaton, so the limits are checked first:
 *
 * <ul>
 *   <li>a client may request at most {@value #SETTING} states;
 *   <li>the expanded expression may have no more states than the limit for determinization: {@code
 *       (a{1000}){1000}} is 17 characters and a million states;
 *   <li>expressions of more than {@value #SMALL_STATES} states are compiled by one thread of the
 *       process at a time, with their memory charged to the node's breaker during compilation.
 * </ul>
 */
final class PatternGate {

  static final String SETTING = "index.query.max_determinized_states";
  static final int DEFAULT_MAX_STATES = Operations.DEFAULT_DETERMINIZE_WORK_LIMIT;

  private static final String LENGTH_SETTING = "index.max_regex_length";
  private static final int DEFAULT_MAX_LENGTH = 1000;

  /** Expressions up to this size are compiled concurrently: they use less than 8 MB. */
  private static final int SMALL_STATES = 1_000;

  /**
   * According to a measurement: the compilation of 8,192 states over three-byte characters needs 70
   * MB.
   */
  private static final long BYTES_PER_STATE = 8 * 1024;

  private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock(true);

  private final IndexView index;
  private final MemoryBreaker breaker;

  PatternGate(IndexView index, MemoryBreaker breaker) {
    this.index = index;
    this.breaker = breaker;
  }

  /** Rejects a pattern that is too long for the index, even if the field is not mapped. */
  void checkLength(String pattern) {
    int most = index.number(LENGTH_SETTING, DEFAULT_MAX_LENGTH);
    if (pattern.length() > most) {
      throw SearchErrors.illegal(
          "The length of regex ["
              + pattern.length()
              + "] used in the Regexp Query request has exceeded the allowed maximum of ["
              + most
              + "]. This maximum can be set by changing the ["
              + LENGTH_SETTING
              + "] index level setting.");
    }
  }

  /** The default limit of states for determinization. */
  int defaultStates() {
    return Math.min(DEFAULT_MAX_STATES, maxStates());
  }

  private int maxStates() {
    return index.number(SETTING, DEFAULT_MAX_STATES);
  }

  /**
   * Compiles an expression.
   *
   * @param states the limit requested by the client
   * @param compile called with the number of states that must not be exceeded, possibly twice
   */
  <T> T compile(RegExp expression, int states, IntFunction<T> compile) {
    int most = maxStates();
    if (states > most) {
      throw SearchErrors.illegal(
          "[max_determinized_states] must be less than or equal to ["
              + most
              + "] but was ["
              + states
              + "]. This limit can be set by changing the ["
              + SETTING
              + "] index level setting.");
    }
    double written = PatternSize.states(expression);
    if (written > Math.max(states, SMALL_STATES)) {
      throw SearchErrors.illegal(
          "The regular expression is too complex: its repetitions and intersections write out more"
              + " than ["
              + Math.max(states, SMALL_STATES)
              + "] states. This limit can be set by [max_determinized_states], up to ["
              + SETTING
              + "] ["
              + most
              + "].");
    }
    if (states <= SMALL_STATES) {
      return compile.apply(states);
    }
    if (written <= SMALL_STATES) {
      try {
        return compile.apply(SMALL_STATES);
      } catch (TooComplexToDeterminizeException e) {
        return compileAlone(states, compile);
      }
    }
    return compileAlone(states, compile);
  }

  private <T> T compileAlone(int states, IntFunction<T> compile) {
    ONE_AT_A_TIME.lock();
    try (MemoryAccount account = breaker.open()) {
      account.charge(states * BYTES_PER_STATE);
      return compile.apply(states);
    } finally {
      ONE_AT_A_TIME.unlock();
    }
  }
}
