package io.varve.load;

import java.util.Locale;

/**
 * What happens to one node while searches are measured.
 *
 * <pre>
 *   healthy, stop4, stop13, cpu, disk   it is so all the time
 *   onset                               the first ten seconds of stop13
 *   recovery                            what follows the end of stop13, until it serves its share again
 *   failing                             the first ten seconds after its process was killed
 *   restart                             the first ten seconds after it is there again, with its code cold
 *   saturated-healthy                   no pauses between searches
 *   saturated, saturated-stop4          so, with cpu or stop4
 * </pre>
 */
enum SelectionCase {
  HEALTHY(Illness.Kind.HEALTHY),
  STOP4(Illness.Kind.STOP4),
  STOP13(Illness.Kind.STOP13),
  CPU(Illness.Kind.CPU),
  DISK(Illness.Kind.DISK),
  ONSET(Illness.Kind.STOP13),
  RECOVERY(Illness.Kind.STOP13),
  SATURATED_HEALTHY(Illness.Kind.HEALTHY),
  SATURATED(Illness.Kind.CPU),
  SATURATED_STOP4(Illness.Kind.STOP4),
  FAILING(Illness.Kind.HEALTHY),
  RESTART(Illness.Kind.HEALTHY);

  private final Illness.Kind illness;

  SelectionCase(Illness.Kind illness) {
    this.illness = illness;
  }

  static SelectionCase of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Illness.Kind illness() {
    return illness;
  }

  boolean saturated() {
    return this == SATURATED || this == SATURATED_STOP4 || this == SATURATED_HEALTHY;
  }

  /** Only a process that its launcher starts again can be killed. */
  boolean kills() {
    return this == FAILING || this == RESTART;
  }

  /** Whose figures its ratios are to. */
  SelectionCase healthy() {
    return saturated() ? SATURATED_HEALTHY : HEALTHY;
  }
}
