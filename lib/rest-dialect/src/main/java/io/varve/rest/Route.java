package io.varve.rest;

import java.util.List;
import java.util.stream.Stream;

/**
 * A method and a path template: {@code /{index}/_doc/{id}}.
 *
 * <p>A segment in braces matches any one segment and becomes a parameter of that name.
 */
public record Route(RestMethod method, String template) {

  public Route {
    if (!template.startsWith("/")) {
      throw new IllegalArgumentException("a route begins with a slash, was " + template);
    }
  }

  /** The names of its parameters, in order. */
  public List<String> parameters() {
    return Stream.of(template.split("/", -1))
        .filter(segment -> segment.startsWith("{"))
        .map(segment -> segment.substring(1, segment.length() - 1))
        .toList();
  }

  /** Routes for all combinations of the methods and templates. */
  public static List<Route> of(List<RestMethod> methods, String... templates) {
    return Stream.of(templates)
        .flatMap(template -> methods.stream().map(method -> new Route(method, template)))
        .toList();
  }

  public static List<Route> get(String... templates) {
    return of(List.of(RestMethod.GET), templates);
  }

  public static List<Route> getAndPost(String... templates) {
    return of(List.of(RestMethod.GET, RestMethod.POST), templates);
  }

  public static List<Route> putAndPost(String... templates) {
    return of(List.of(RestMethod.PUT, RestMethod.POST), templates);
  }

  /** Concatenates two lists. */
  public static List<Route> both(List<Route> some, List<Route> others) {
    return Stream.concat(some.stream(), others.stream()).toList();
  }
}
