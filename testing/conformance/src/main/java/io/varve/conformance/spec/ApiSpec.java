package io.varve.conformance.spec;

import java.util.List;
import java.util.Set;

/**
 * What the suite says of one endpoint.
 *
 * @param name as tests call it, for example {@code indices.create}
 */
public record ApiSpec(
    String name, List<Path> paths, Set<String> parameters, Body body, Set<String> required) {

  /** Whether a body is sent. */
  public enum Body {
    NONE,
    OPTIONAL,
    REQUIRED
  }

  /** One form of the address. */
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
