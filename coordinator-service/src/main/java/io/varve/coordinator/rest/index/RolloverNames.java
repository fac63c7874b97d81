package io.varve.coordinator.rest.index;

import io.varve.coordinator.rest.DateMathName;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Computes the name of the next index: the number at the end is incremented and written with six
 * digits.
 */
final class RolloverNames {

  private static final Pattern NUMBERED = Pattern.compile("^.*-\\d+$");

  private RolloverNames() {}

  /** Returns the next name; date math in {@code provided} is kept. */
  static String next(String provided) {
    String name = DateMathName.resolve(provided);
    if (!NUMBERED.matcher(name).matches()) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "index name [" + provided + "] does not match pattern '^.*-\\d+$'"));
    }
    boolean dates = !name.equals(provided);
    int dash = provided.lastIndexOf('-');
    String digits = provided.substring(dash + 1, dates ? provided.length() - 1 : provided.length());
    try {
      return provided.substring(0, dash)
          + "-"
          + String.format(Locale.ROOT, "%06d", Math.addExact(Integer.parseInt(digits), 1))
          + (dates ? ">" : "");
    } catch (ArithmeticException | NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("index name [" + provided + "] has no number to increment"));
    }
  }
}
