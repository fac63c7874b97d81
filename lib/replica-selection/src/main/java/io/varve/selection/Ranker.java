package io.varve.selection;

import java.util.List;
import java.util.Optional;

/** Orders copies that serve; the first of {@code turn} is the one whose turn it is. */
interface Ranker {

  /** The outcome: what the caller does to its books is the ranker's choice too. */
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
