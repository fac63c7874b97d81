package io.varve.conformance.suite;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One line of a test: a call of the server, or a question about its last answer. */
public sealed interface Step {

  /**
   * Calls an endpoint.
   *
   * @param api the name of the endpoint in the suite's own words, as in {@code indices.create}
   * @param parameters path parts and query parameters together; {@code body} and {@code ignore}
   *     apart
   * @param bodies what is sent: none, one, or the lines of a bulk-like request
   */
  record Call(
      String api, Map<String, @Nullable Object> parameters, List<Object> bodies, Terms terms)
      implements Step {}

  /** What is agreed on around a call: the error that it must end in, headers and warnings. */
  record Terms(
      @Nullable String caught,
      List<Integer> ignoredStatuses,
      Map<String, String> headers,
      List<String> warnings,
      List<String> allowedWarnings) {}

  /** The value at the path equals, or matches, what is expected. */
  record Match(String path, @Nullable Object expected) implements Step {}

  record Length(String path, Object expected) implements Step {}

  record IsTrue(String path) implements Step {}

  record IsFalse(String path) implements Step {}

  record Compare(Order order, String path, Object expected) implements Step {}

  /** The list at the path has an element with (at least) what is expected. */
  record Contains(String path, @Nullable Object expected) implements Step {}

  record CloseTo(String path, Number value, Number error) implements Step {}

  /** Keeps values of the answer under names, by path. */
  record Keep(Map<String, String> namesByPath) implements Step {}

  /** Keeps values that are made from the answer, by name. */
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
