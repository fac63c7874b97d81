package io.varve.coordinator.rest.template;

import io.varve.cluster.ClusterState;
import io.varve.cluster.Templates;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.ClusterCommand.TemplateKind;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.names.Wildcard;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code _template}, {@code _index_template} and {@code _component_template}: puts, shows and
 * deletes templates.
 */
public final class TemplateEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final TemplateKind kind;

  private TemplateEndpoint(ClusterAccess cluster, TemplateKind kind) {
    this.cluster = cluster;
    this.kind = kind;
  }

  /** Returns one endpoint for each kind of template. */
  public static List<TemplateEndpoint> all(ClusterAccess cluster) {
    return List.of(
        new TemplateEndpoint(cluster, TemplateKind.LEGACY),
        new TemplateEndpoint(cluster, TemplateKind.COMPOSABLE),
        new TemplateEndpoint(cluster, TemplateKind.COMPONENT));
  }

  private String path() {
    return switch (kind) {
      case LEGACY -> "/_template";
      case COMPOSABLE -> "/_index_template";
      case COMPONENT -> "/_component_template";
    };
  }

  @Override
  public List<Route> routes() {
    return Route.both(
        Route.get(path()),
        Route.of(
            List.of(
                RestMethod.GET,
                RestMethod.HEAD,
                RestMethod.PUT,
                RestMethod.POST,
                RestMethod.DELETE),
            path() + "/{name}"));
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        kind == TemplateKind.COMPONENT
            ? "{\"template\":{\"settings\":{\"number_of_shards\":2}}}"
            : "{\"index_patterns\":[\"books-*\"]}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    return switch (request.method()) {
      case PUT, POST -> put(request);
      case DELETE -> delete(request);
      default -> show(request);
    };
  }

  private RestAction put(RestRequest request) {
    String name = request.required("name");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    boolean create = request.flag("create", false);
    // {@code cause} is accepted without effect.
    request.param("cause");
    request.requiredBody();
    Map<String, Object> body = new LinkedHashMap<>(request.bodyAsMap());
    if (kind == TemplateKind.LEGACY && request.has("order")) {
      body.putIfAbsent("order", request.integer("order", 0));
    }
    ClusterCommand command =
        switch (kind) {
          case LEGACY ->
              new ClusterCommand.PutLegacyTemplate(name, TemplateJson.readLegacy(body), create);
          case COMPOSABLE ->
              new ClusterCommand.PutIndexTemplate(name, TemplateJson.readComposable(body), create);
          case COMPONENT ->
              new ClusterCommand.PutComponentTemplate(
                  name, TemplateJson.readComponent(body), create);
        };
    return responder -> {
      cluster.change(command, timeout);
      TemplateWarnings.of(cluster.state(), command).ifPresent(responder::warning);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private RestAction delete(RestRequest request) {
    String name = request.required("name");
    Duration timeout = request.clusterManagerTimeout();
    Duration ackTimeout = request.ackTimeout();
    return responder -> {
      cluster.change(new ClusterCommand.DeleteTemplate(kind, name), timeout);
      responder.json(200, Map.of("acknowledged", cluster.awaitAcknowledged(ackTimeout)));
    };
  }

  private RestAction show(RestRequest request) {
    String name = request.param("name");
    boolean flat = request.flag("flat_settings", false);
    // {@code local} has no effect: every coordinator has the cluster state.
    request.flag("local", false);
    request.clusterManagerTimeout();
    boolean head = request.method() == RestMethod.HEAD;
    return responder -> {
      Map<String, Map<String, Object>> found = found(cluster.state(), name, flat);
      if (found.isEmpty() && name != null && !Wildcard.isPattern(name)) {
        missing(name, head, responder);
        return;
      }
      responder.json(200, shown(found));
    };
  }

  private void missing(String name, boolean head, RestResponder responder) {
    if (head || kind == TemplateKind.LEGACY) {
      responder.json(404, Map.of());
      return;
    }
    throw new ApiException(
        ErrorBody.of(
            404,
            "resource_not_found_exception",
            (kind == TemplateKind.COMPOSABLE ? "index" : "component")
                + " template matching ["
                + name
                + "] not found"));
  }

  private Map<String, Map<String, Object>> found(
      ClusterState state, @Nullable String names, boolean flat) {
    Templates templates = state.templates();
    Map<String, Map<String, Object>> found = new TreeMap<>();
    switch (kind) {
      case LEGACY ->
          templates
              .legacy()
              .forEach((name, template) -> found.put(name, TemplateJson.of(template, flat)));
      case COMPOSABLE ->
          templates
              .composable()
              .forEach((name, template) -> found.put(name, TemplateJson.of(template, flat)));
      case COMPONENT ->
          templates
              .components()
              .forEach((name, template) -> found.put(name, TemplateJson.of(template, flat)));
    }
    if (names != null) {
      List<String> wanted = List.of(names.split(",", -1));
      found.keySet().removeIf(n -> wanted.stream().noneMatch(w -> Wildcard.matches(w, n)));
    }
    return found;
  }

  private Map<String, ?> shown(Map<String, Map<String, Object>> found) {
    if (kind == TemplateKind.LEGACY) {
      return found;
    }
    String one = kind == TemplateKind.COMPOSABLE ? "index_template" : "component_template";
    List<Map<String, Object>> list = new ArrayList<>();
    found.forEach((name, template) -> {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("name", name);
      entry.put(one, template);
      list.add(entry);
    });
    return Map.of(one + "s", list);
  }
}
