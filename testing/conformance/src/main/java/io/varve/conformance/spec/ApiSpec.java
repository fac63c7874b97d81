package io.varve.conformance.spec;

import java.util.List;
import java.util.Set;

/**
 * The suite's specification of one endpoint.
 *
 * @param name the name that tests use, for example {@code indices.create}
 */
public record ApiSpec(
    String name, List<Path> paths, Set<String> parameters, Body body, Set<String> required) {

  /** Whether a request has a body. */
  public enum Body {
    NONE,
    OPTIONAL,
    REQUIRED
  }

  /** One variant of the URL. */
  public record Path(String template, List<String> methods, Set<String> parts, boolean deprecated) {
    public Path {
      methods = List.copyOf(methods);
      parts = Set.copyOf(parts);
    }
  }

  public ApiSpec {
    paths = List.copyOf(paths);
    parameters = Set.copyOf(parameters);
    required = Set.copyOf(required);
  }
}
