package io.varve.http.route;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the target of a method and a raw path among templates such as {@code /{index}/_doc/{id}}.
 *
 * <p>A path is split at its slashes first and each segment is decoded afterwards, so a segment may
 * contain an encoded slash; empty segments are ignored. A literal segment is preferred to a
 * variable; when the rest of the path matches no template below the literal, the variable is tried.
 *
 * <p>The templates form a tree with one level per segment. A variable may have a different name in
 * each template, so names are kept at the end of the path.
 *
 * @param <T> the target of a template
 */
public final class RouteTree<T> {

  /** The order in which methods are listed. */
  private static final List<String> METHODS = List.of("GET", "HEAD", "PUT", "POST", "DELETE");

  private final Node<T> root = new Node<>();

  /**
   * One route.
   *
   * @param template begins with a slash; a segment in braces matches any one segment
   */
  public record Route<T>(String method, String template, T target) {}

  /** The result of a look-up. */
  public sealed interface Match<T> {

    /**
     * @param variables the decoded segments that match the template's variables
     */
    record Found<T>(T target, Map<String, String> variables) implements Match<T> {}

    /** The path matches templates of other methods only. */
    record WrongMethod<T>(List<String> allowed) implements Match<T> {}

    record NoRoute<T>() implements Match<T> {}
  }

  private record Leaf<T>(T target, List<String> names) {}

  private static final class Node<T> {
    final Map<String, Node<T>> literals = new HashMap<>();
    final Map<String, Leaf<T>> leaves = new HashMap<>();
    @Nullable Node<T> variable;
  }

  /**
   * @throws IllegalArgumentException if two routes have the same method and template
   */
  public RouteTree(Collection<Route<T>> routes) {
    routes.forEach(this::add);
  }

  private void add(Route<T> route) {
    Node<T> node = root;
    List<String> names = new ArrayList<>();
    for (String segment : segments(route.template())) {
      if (segment.startsWith("{")) {
        names.add(segment.substring(1, segment.length() - 1));
        Node<T> next = node.variable == null ? new Node<>() : node.variable;
        node.variable = next;
        node = next;
      } else {
        node = node.literals.computeIfAbsent(segment, _ -> new Node<>());
      }
    }
    Leaf<T> former = node.leaves.putIfAbsent(route.method(), new Leaf<>(route.target(), names));
    if (former != null) {
      throw new IllegalArgumentException(
          "[%s %s] is a route of %s and of %s"
              .formatted(route.method(), route.template(), former.target(), route.target()));
    }
  }

  /**
   * @param path as it is in the URI, without the query
   */
  public Match<T> find(String method, String path) {
    Set<String> allowed = new TreeSet<>(Comparator.comparingInt(METHODS::indexOf));
    Match<T> found = find(root, segments(path), 0, new ArrayList<>(), method, allowed);
    if (found != null) {
      return found;
    }
    return allowed.isEmpty()
        ? new Match.NoRoute<>()
        : new Match.WrongMethod<>(List.copyOf(allowed));
  }

  private static <T> @Nullable Match<T> find(
      Node<T> node,
      List<String> segments,
      int at,
      List<String> values,
      String method,
      Set<String> allowed) {
    if (at == segments.size()) {
      Leaf<T> leaf = node.leaves.get(method);
      if (leaf == null) {
        allowed.addAll(node.leaves.keySet());
        return null;
      }
      return new Match.Found<>(leaf.target(), variables(leaf.names(), values));
    }
    String segment = UriText.decode(segments.get(at), false);
    Node<T> literal = node.literals.get(segment);
    if (literal != null) {
      Match<T> found = find(literal, segments, at + 1, values, method, allowed);
      if (found != null) {
        return found;
      }
    }
    if (node.variable == null) {
      return null;
    }
    values.add(segment);
    Match<T> found = find(node.variable, segments, at + 1, values, method, allowed);
    if (found == null) {
      values.removeLast();
    }
    return found;
  }

  private static Map<String, String> variables(List<String> names, List<String> values) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      variables.put(names.get(i), values.get(i));
    }
    return variables;
  }

  private static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(segment);
      }
    }
    return segments;
  }
}
