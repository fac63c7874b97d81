package io.varve.coordinator.rest.template;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Templates;
import io.varve.cluster.Templates.Composable;
import io.varve.cluster.Templates.Content;
import io.varve.control.command.TemplateComposer;
import io.varve.control.command.TemplateComposer.Named;
import io.varve.control.command.TemplateRules;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code _simulate_index}: shows the result of all templates for an index with that name. {@code
 * _simulate}: shows the result of an existing template or of a template in the body. Neither
 * changes the cluster.
 */
public final class SimulateEndpoint implements RestEndpoint {

  /** The name of a template that exists only during the simulation. */
  private static final String GIVEN = "_given";

  private final ClusterAccess cluster;
  private final boolean index;

  private SimulateEndpoint(ClusterAccess cluster, boolean index) {
    this.cluster = cluster;
    this.index = index;
  }

  /** Returns one endpoint for indices and one for templates. */
  public static List<SimulateEndpoint> all(ClusterAccess cluster) {
    return List.of(new SimulateEndpoint(cluster, true), new SimulateEndpoint(cluster, false));
  }

  @Override
  public List<Route> routes() {
    return index
        ? Route.of(List.of(RestMethod.POST), "/_index_template/_simulate_index/{name}")
        : Route.of(
            List.of(RestMethod.POST),
            "/_index_template/_simulate",
            "/_index_template/_simulate/{name}");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        "{\"index_patterns\":[\"books-*\"],\"template\":{\"aliases\":{\"books\":{}}}}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = index ? request.required("name") : request.param("name");
    request.flag("create", false);
    request.param("cause");
    request.clusterManagerTimeout();
    // Clients that always send a body send an empty object if they have none.
    Map<String, Object> body = request.bodyAsMap();
    Composable given = body.isEmpty() ? null : TemplateJson.readComposable(body);
    if (!index && name == null && given == null) {
      throw new ApiException(
          ErrorBody.of(
              400,
              "action_request_validation_exception",
              "Validation Failed: 1: either index name or index template body must be specified for"
                  + " simulation;"));
    }
    return responder -> {
      ClusterState state = cluster.state();
      Optional<Named> template =
          index ? ofIndex(state, name, given) : ofTemplate(state, name, given);
      responder.json(
          200,
          template
              .<Map<String, ?>>map(found -> answer(state, found, index ? name : null))
              .orElse(Map.of()));
    };
  }

  private static Optional<Named> ofIndex(
      ClusterState state, @Nullable String name, @Nullable Composable given) {
    Templates templates = given == null ? state.templates() : with(state, GIVEN, given);
    return new TemplateComposer(templates).winner(String.valueOf(name), false);
  }

  private static Optional<Named> ofTemplate(
      ClusterState state, @Nullable String name, @Nullable Composable given) {
    if (given != null) {
      String givenName = name == null ? GIVEN : name;
      TemplateRules.check(state, givenName, given);
      return Optional.of(new Named(givenName, given));
    }
    Composable present = state.templates().composable().get(name);
    if (present == null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "unable to simulate template [" + name + "] that does not exist"));
    }
    return Optional.of(new Named(String.valueOf(name), present));
  }

  private static Templates with(ClusterState state, String name, Composable template) {
    TemplateRules.check(state, name, template);
    return state
        .apply(new ClusterEvent.TemplatesChanged(Map.of(), Map.of(name, template), Map.of()))
        .templates();
  }

  private static Map<String, Object> answer(
      ClusterState state, Named template, @Nullable String indexName) {
    TemplateComposer composer = new TemplateComposer(state.templates());
    Content content = composer.compose(template.template());
    Map<String, Object> composed = new LinkedHashMap<>();
    composed.putAll(
        TemplateJson.of(
            new Content(
                content.settingsOrNone(),
                mapping(content),
                indexName == null
                    ? content.aliasesOrNone()
                    : TemplateRules.named(content.aliasesOrNone(), indexName)),
            false));
    List<Map<String, Object>> overlapping = new ArrayList<>();
    new TreeMap<>(composer.overlapping(template.name(), template.template().patterns()))
        .forEach((name, patterns) -> {
          Map<String, Object> other = new LinkedHashMap<>();
          other.put("name", name);
          other.put("index_patterns", patterns);
          overlapping.add(other);
        });
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("template", composed);
    answer.put("overlapping", overlapping);
    return answer;
  }

  private static String mapping(Content content) {
    MappingRules rules = MappingRules.of(content.settingsOrNone());
    return switch (Mapping.create(content.mappingOrNone(), rules)) {
      case Mapping.Merge.Merged merged -> merged.mapping().toJson();
      case Mapping.Merge.Refused(var error) -> throw new ApiException(error);
    };
  }
}
