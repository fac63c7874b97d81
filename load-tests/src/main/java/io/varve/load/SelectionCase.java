package io.varve.load;

import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The condition of one node during a measurement of searches.
 *
 * <pre>
 *   healthy, stop4, stop13, cpu, disk   an {@link Impairment.Kind} during the whole measurement
 *   onset                               the first ten seconds of stop13
 *   recovery                            from the end of stop13 until the node serves its share again
 *   failing                             the first ten seconds after its process is killed
 *   restart                             the first ten seconds after its restart, before JIT warm-up
 *   saturated-healthy                   healthy, without pauses between searches
 *   saturated, saturated-stop4          cpu or stop4, without pauses between searches
 * </pre>
 */
enum SelectionCase {
  HEALTHY(Impairment.Kind.HEALTHY),
  STOP4(Impairment.Kind.STOP4),
  STOP13(Impairment.Kind.STOP13),
  CPU(Impairment.Kind.CPU),
  DISK(Impairment.Kind.DISK),
  ONSET(Impairment.Kind.STOP13),
  RECOVERY(Impairment.Kind.STOP13),
  SATURATED_HEALTHY(Impairment.Kind.HEALTHY),
  SATURATED(Impairment.Kind.CPU),
  SATURATED_STOP4(Impairment.Kind.STOP4),
  FAILING(Impairment.Kind.HEALTHY),
  RESTART(Impairment.Kind.HEALTHY);

  private final Impairment.Kind impairment;

  SelectionCase(Impairment.Kind impairment) {
    this.impairment = impairment;
  }

  /** Converts the value of an option. */
  static final class Converter implements ITypeConverter<SelectionCase> {
    @Override
    public SelectionCase convert(String value) {
      return Arrays.stream(values())
          .filter(known -> known.text().equals(value))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("[" + value + "] is not one of them"));
    }
  }

  static SelectionCase of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Impairment.Kind impairment() {
    return impairment;
  }

  boolean saturated() {
    return this == SATURATED || this == SATURATED_STOP4 || this == SATURATED_HEALTHY;
  }

  /** Whether the process is killed, which requires a launcher that restarts it. */
  boolean kills() {
    return this == FAILING || this == RESTART;
  }

  /** Returns the case to which ratios are relative. */
  SelectionCase healthy() {
    return saturated() ? SATURATED_HEALTHY : HEALTHY;
  }
}
