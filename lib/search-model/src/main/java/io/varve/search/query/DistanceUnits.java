package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses distances: {@code 200km}, {@code 12 mi}, or {@code 5} of a default unit. */
public final class DistanceUnits {

  private DistanceUnits() {}

  public static double meters(String text, String defaultUnit) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    int unit = lower.length();
    while (unit > 0 && Character.isLetter(lower.charAt(unit - 1))) {
      unit--;
    }
    String name = lower.substring(unit);
    try {
      double number = Double.parseDouble(lower.substring(0, unit));
      double meters = number * metersPer(name.isEmpty() ? defaultUnit : name);
      if (Double.isFinite(meters)) {
        return meters;
      }
    } catch (NumberFormatException e) {
      throw illegal("failed to parse distance [" + text + "]: " + e.getMessage());
    }
    throw illegal("failed to parse distance [" + text + "]");
  }

  /** The length of a unit in meters. */
  public static double metersPer(String unit) {
    Double factor = factor(unit.toLowerCase(Locale.ROOT));
    if (factor == null) {
      throw illegal("No distance unit match [" + unit + "]");
    }
    return factor;
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  private static @Nullable Double factor(String unit) {
    return switch (unit) {
      case "m", "meters" -> 1.0;
      case "km", "kilometers" -> 1000.0;
      case "mi", "miles" -> 1609.344;
      case "yd", "yards" -> 0.9144;
      case "ft", "feet" -> 0.3048;
      case "in", "inch" -> 0.0254;
      case "cm", "centimeters" -> 0.01;
      case "mm", "millimeters" -> 0.001;
      case "nm", "nmi", "nauticalmiles" -> 1852.0;
      default -> null;
    };
  }
}
