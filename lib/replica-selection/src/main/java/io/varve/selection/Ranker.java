package io.varve.selection;

import java.util.List;
import java.util.Optional;

/** Orders serving copies; {@code turn} is their rotation order. */
interface Ranker {

  /** The result, including how the caller updates its statistics. */
  record Ranked(List<Copy> copies, Optional<String> shadow, boolean countsWinner) {

    static Ranked counted(List<Copy> copies) {
      return new Ranked(copies, Optional.empty(), true);
    }

    static Ranked uncounted(List<Copy> copies) {
      return new Ranked(copies, Optional.empty(), false);
    }
  }

  Ranked rank(List<Copy> turn, Candidates candidates);
}
