package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/**
 * Computes how many of {@code n} optional clauses must match: {@code 3}, {@code -1} (all but one),
 * {@code 75%}, {@code -25%}, or {@code 2<75%} (all of up to two, 75% of more). Several conditions
 * are separated by blanks.
 */
final class MinimumShouldMatch {

  private MinimumShouldMatch() {}

  static int of(String spec, int optional) {
    try {
      return spec.indexOf('<') < 0
          ? Math.clamp(plain(spec.strip(), optional), 0, Integer.MAX_VALUE)
          : conditional(spec, optional);
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.of(
              400, "number_format_exception", "invalid minimum_should_match [" + spec + "]"));
    }
  }

  private static int conditional(String spec, int optional) {
    int result = optional;
    for (String one : spec.strip().split("\\s+", -1)) {
      int less = one.indexOf('<');
      if (less < 0) {
        throw new NumberFormatException(one);
      }
      int limit = Integer.parseInt(one.substring(0, less));
      if (optional <= limit) {
        return result;
      }
      result = Math.max(0, plain(one.substring(less + 1), optional));
    }
    return result;
  }

  private static int plain(String spec, int optional) {
    if (spec.endsWith("%")) {
      float percent = Float.parseFloat(spec.substring(0, spec.length() - 1));
      int part = (int) (optional * (percent / 100));
      return part < 0 || percent < 0 ? optional + part : part;
    }
    int count = Integer.parseInt(spec);
    return count < 0 ? optional + count : count;
  }
}
