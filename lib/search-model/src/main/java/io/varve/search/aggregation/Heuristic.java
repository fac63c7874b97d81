package io.varve.search.aggregation;

/**
 * Scores how much more frequent a term is in the searched documents, the subset, than in all
 * documents, the superset. Every score is computed from four counts:
 *
 * <pre>
 *   f  documents of the subset with the term     n  documents of the subset
 *   F  documents of the superset with the term   N  documents of the superset
 * </pre>
 *
 * When the background does not contain the subset, F and N count the documents outside the subset.
 */
public sealed interface Heuristic {

  /** A higher score is more significant; terms that score 0 or less are not significant. */
  double score(double f, double n, double all, double size);

  /**
   * The absolute change of the term's share times its relative change: (f/n - F/N) * (f/n) / (F/N).
   */
  record Jlh() implements Heuristic {
    @Override
    public double score(double f, double n, double all, double size) {
      if (n == 0 || size == 0) {
        return 0;
      }
      double share = f / n;
      // A term that is absent from the background counts as one occurrence.
      double shareOfAll = Math.max(1, all) / size;
      double change = share - shareOfAll;
      return change <= 0 ? 0 : change * (share / shareOfAll);
    }
  }

  /** The share of the term's documents that are in the subset: f / F. */
  record Percentage() implements Heuristic {
    @Override
    public double score(double f, double n, double all, double size) {
      return all == 0 ? 0 : f / all;
    }
  }

  /** The mutual information, in bits, between having the term and being in the subset. */
  record MutualInformation(boolean includeNegatives, boolean backgroundIsSuperset)
      implements Heuristic {
    @Override
    public double score(double f, double n, double all, double size) {
      Table table = Table.of(f, n, all, size, backgroundIsSuperset);
      if (!includeNegatives && table.isRarer()) {
        return -Double.MAX_VALUE;
      }
      double sum =
          table.part(table.neither, table.without(), table.outside())
              + table.part(table.onlyInside, table.without(), table.inside())
              + table.part(table.onlyTerm, table.with(), table.outside())
              + table.part(table.both, table.with(), table.inside());
      double score = sum / Math.log(2);
      return Double.isNaN(score) ? Double.NEGATIVE_INFINITY : score;
    }
  }

  /** The chi-squared test of independence between having the term and being in the subset. */
  record ChiSquare(boolean includeNegatives, boolean backgroundIsSuperset) implements Heuristic {
    @Override
    public double score(double f, double n, double all, double size) {
      Table table = Table.of(f, n, all, size, backgroundIsSuperset);
      if (!includeNegatives && table.isRarer()) {
        return -Double.MAX_VALUE;
      }
      double cross = table.both * table.neither - table.onlyInside * table.onlyTerm;
      return table.total()
          * cross
          * cross
          / (table.inside() * table.with() * table.without() * table.outside());
    }
  }

  /** Google normalized distance; the score is e^-distance. */
  record Gnd(boolean backgroundIsSuperset) implements Heuristic {
    @Override
    public double score(double f, double n, double all, double size) {
      Table table = Table.of(f, n, all, size, backgroundIsSuperset);
      double with = table.with();
      double inside = table.inside();
      if (table.both == 0) {
        return 0;
      }
      if (with == inside && with == table.both) {
        return 1;
      }
      double distance =
          (Math.max(Math.log(with), Math.log(inside)) - Math.log(table.both))
              / (Math.log(table.total()) - Math.min(Math.log(with), Math.log(inside)));
      return Math.exp(-distance);
    }
  }

  /** All documents, by whether they have the term and whether they are in the subset. */
  record Table(double neither, double onlyInside, double onlyTerm, double both) {

    static Table of(double f, double n, double all, double size, boolean superset) {
      return superset
          ? new Table(size - all - (n - f), n - f, all - f, f)
          : new Table(size - all, n - f, all, f);
    }

    double with() {
      return onlyTerm + both;
    }

    double without() {
      return neither + onlyInside;
    }

    double inside() {
      return onlyInside + both;
    }

    double outside() {
      return neither + onlyTerm;
    }

    double total() {
      return neither + onlyInside + onlyTerm + both;
    }

    /** Whether the term is less frequent inside the subset than outside. */
    boolean isRarer() {
      return both / inside() < onlyTerm / outside();
    }

    double part(double cell, double row, double column) {
      double numerator = Math.abs(total() * cell);
      double factor = Math.abs(cell / total());
      return numerator < 1.e-7 && factor < 1.e-7
          ? 0
          : factor * Math.log(numerator / Math.abs(row * column));
    }
  }
}
