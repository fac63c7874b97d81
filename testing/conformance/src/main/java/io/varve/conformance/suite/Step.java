package io.varve.conformance.suite;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One step of a test: a call, or an action on the last response. */
public sealed interface Step {

  /**
   * Calls an endpoint.
   *
   * @param api the name of the endpoint in the suite, for example {@code indices.create}
   * @param parameters the path parts and query parameters, without {@code body} and {@code ignore}
   * @param bodies the request bodies: none, one, or the lines of a bulk-like request
   */
  record Call(
      String api, Map<String, @Nullable Object> parameters, List<Object> bodies, Terms terms)
      implements Step {}

  /** The conditions of a call: expected error, headers and warnings. */
  record Terms(
      @Nullable String caught,
      List<Integer> ignoredStatuses,
      Map<String, String> headers,
      List<String> warnings,
      List<String> allowedWarnings) {}

  /** The value at the path equals, or matches, the expected value. */
  record Match(String path, @Nullable Object expected) implements Step {}

  record Length(String path, Object expected) implements Step {}

  record IsTrue(String path) implements Step {}

  record IsFalse(String path) implements Step {}

  record Compare(Order order, String path, Object expected) implements Step {}

  /** The list at the path has an element that includes the expected value. */
  record Contains(String path, @Nullable Object expected) implements Step {}

  record CloseTo(String path, Number value, Number error) implements Step {}

  /** Stores values of the response, selected by path, under names. */
  record Keep(Map<String, String> namesByPath) implements Step {}

  /** Stores values computed from the response under names. */
  record Transform(Map<String, String> formulasByName) implements Step {}

  enum Order {
    LT,
    LTE,
    GT,
    GTE;

    public boolean holds(int comparison) {
      return switch (this) {
        case LT -> comparison < 0;
        case LTE -> comparison <= 0;
        case GT -> comparison > 0;
        case GTE -> comparison >= 0;
      };
    }
  }
}
