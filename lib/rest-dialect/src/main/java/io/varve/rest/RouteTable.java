package io.varve.rest;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the endpoint of a path. A literal segment goes before a parameter; when the rest of the
 * path fits no route below the literal, the parameter is tried.
 *
 * <p>The tree is of nodes by segment. A parameter may have another name in each route, so names
 * stand at the end of the path.
 */
final class RouteTable {

  /** What a path and a method lead to. */
  sealed interface Match {
    record Found(RestEndpoint endpoint, String template, Map<String, String> parameters)
        implements Match {}

    record WrongMethod(Set<RestMethod> allowed) implements Match {}

    record NoHandler() implements Match {}
  }

  private record Target(RestEndpoint endpoint, String template, List<String> names) {}

  private static final class Node {
    final Map<String, Node> literals = new HashMap<>();
    final Map<RestMethod, Target> targets = new EnumMap<>(RestMethod.class);
    @Nullable Node parameter;
  }

  private final Node root = new Node();

  RouteTable(Collection<? extends RestEndpoint> endpoints) {
    endpoints.forEach(endpoint -> endpoint.routes().forEach(route -> add(route, endpoint)));
  }

  private void add(Route route, RestEndpoint endpoint) {
    Node node = root;
    List<String> names = new ArrayList<>();
    for (String segment : segments(route.template())) {
      if (segment.startsWith("{")) {
        names.add(segment.substring(1, segment.length() - 1));
        Node next = node.parameter == null ? new Node() : node.parameter;
        node.parameter = next;
        node = next;
      } else {
        node = node.literals.computeIfAbsent(segment, s -> new Node());
      }
    }
    Target former =
        node.targets.putIfAbsent(route.method(), new Target(endpoint, route.template(), names));
    if (former != null) {
      throw new IllegalArgumentException(
          route + " is claimed by " + former.endpoint() + " and " + endpoint);
    }
  }

  /** {@code path} as it stands in the URI; its segments are decoded after it was split. */
  Match find(RestMethod method, String path) {
    List<String> segments = segments(path);
    Set<RestMethod> allowed = EnumSet.noneOf(RestMethod.class);
    Match found = find(root, segments, 0, new ArrayList<>(), method, allowed);
    if (found != null) {
      return found;
    }
    return allowed.isEmpty() ? new Match.NoHandler() : new Match.WrongMethod(allowed);
  }

  /** The methods that any route has on that path. */
  Set<RestMethod> methods(String path) {
    Set<RestMethod> allowed = EnumSet.noneOf(RestMethod.class);
    for (RestMethod method : RestMethod.values()) {
      if (find(method, path) instanceof Match.Found) {
        allowed.add(method);
      }
    }
    return allowed;
  }

  private static @Nullable Match find(
      Node node,
      List<String> segments,
      int at,
      List<String> values,
      RestMethod method,
      Set<RestMethod> allowed) {
    if (at == segments.size()) {
      Target target = node.targets.get(method);
      if (target == null) {
        allowed.addAll(node.targets.keySet());
        return null;
      }
      Map<String, String> parameters = new LinkedHashMap<>();
      for (int i = 0; i < target.names().size(); i++) {
        parameters.put(target.names().get(i), values.get(i));
      }
      return new Match.Found(target.endpoint(), target.template(), parameters);
    }
    String segment = UriText.decode(segments.get(at), false);
    Node literal = node.literals.get(segment);
    if (literal != null) {
      Match found = find(literal, segments, at + 1, values, method, allowed);
      if (found != null) {
        return found;
      }
    }
    if (node.parameter == null) {
      return null;
    }
    values.add(segment);
    Match found = find(node.parameter, segments, at + 1, values, method, allowed);
    if (found == null) {
      values.removeLast();
    }
    return found;
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
