package io.varve.standalone.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks the history of one document: is there an order of the calls in which each takes effect
 * between its invocation and its response, and each response is correct?
 *
 * <p>This is the search of Wing and Gong with Lowe's cache. A state consists of the calls that have
 * taken effect and the value after them. The next call can be any that started before the earliest
 * response among the remaining calls and that fits the value. Visited states are not searched
 * again. A call with an unknown outcome has no response: it can be next at any time after its
 * start, or be missing from the order.
 */
final class Linearizability {

  /** The result of a check. */
  enum Verdict {
    LINEARIZABLE,
    VIOLATED,
    /** The search reached its limit of states. */
    UNDECIDED
  }

  private final List<RegisterOp> ops;
  private final int known;
  private final int mostStates;

  private record State(BitSet effective, int knownEffective, @Nullable Integer value) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof State that
          && effective.equals(that.effective)
          && Objects.equals(value, that.value);
    }

    @Override
    public int hashCode() {
      return 31 * effective.hashCode() + Objects.hashCode(value);
    }
  }

  private Linearizability(List<RegisterOp> history, int mostStates) {
    this.ops = history.stream().sorted(Comparator.comparingLong(RegisterOp::calledNanos)).toList();
    this.known = (int) ops.stream().filter(RegisterOp::isKnown).count();
    this.mostStates = mostStates;
  }

  /** Checks a document that did not exist at the start. */
  static Verdict of(List<RegisterOp> history, int mostStates) {
    return new Linearizability(history, mostStates).verdict();
  }

  private Verdict verdict() {
    Set<State> seen = new HashSet<>();
    Deque<State> left = new ArrayDeque<>();
    left.push(new State(new BitSet(ops.size()), 0, null));
    while (!left.isEmpty()) {
      State state = left.pop();
      if (state.knownEffective == known) {
        return Verdict.LINEARIZABLE;
      }
      for (State next : next(state)) {
        if (seen.add(next)) {
          left.push(next);
        }
      }
      if (seen.size() > mostStates) {
        return Verdict.UNDECIDED;
      }
    }
    return Verdict.VIOLATED;
  }

  /**
   * Returns the next states. The caller pushes them in this order and pops the last one first, so
   * the earliest calls come last.
   */
  private List<State> next(State state) {
    List<State> next = new ArrayList<>();
    long firstAnswer = Long.MAX_VALUE;
    for (int i = state.effective.nextClearBit(0);
        i < ops.size();
        i = state.effective.nextClearBit(i + 1)) {
      RegisterOp op = ops.get(i);
      if (op.calledNanos() > firstAnswer) {
        break;
      }
      if (op.isKnown()) {
        firstAnswer = Math.min(firstAnswer, op.returnedNanos());
      }
      if (op.fits(state.value)) {
        BitSet effective = (BitSet) state.effective.clone();
        effective.set(i);
        next.add(
            new State(
                effective, state.knownEffective + (op.isKnown() ? 1 : 0), op.after(state.value)));
      }
    }
    return next.reversed();
  }
}
