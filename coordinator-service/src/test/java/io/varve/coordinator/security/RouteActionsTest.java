package io.varve.coordinator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.access.RouteAction;
import io.varve.coordinator.access.RouteActions;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rest.Route;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Compares the table of permissions with the routes of all endpoints. */
class RouteActionsTest {

  private final RouteActions actions = new RouteActions();

  private static List<Route> routes() {
    try (RestHarness rest = RestHarness.secured(new FakeSecurity())) {
      return rest.endpoints.stream().flatMap(endpoint -> endpoint.routes().stream()).toList();
    }
  }

  @Test
  void everyRouteRequiresAnActionOfOpenSearchsForm() {
    for (Route route : routes()) {
      assertThat(actions.of(route).map(RouteAction::action))
          .as("add [%s] to RouteActions", route)
          .hasValueSatisfying(action ->
              assertThat(action).matches("(cluster:(monitor|admin)/|indices:|restapi:admin/).+"));
    }
  }

  @Test
  void noPathIsListedThatNoEndpointHas() {
    Set<String> templates = new TreeSet<>();
    routes().forEach(route -> templates.add(route.template()));

    Set<String> listed = new TreeSet<>();
    actions.routes().forEach(route -> listed.add(route.substring(route.indexOf(' ') + 1)));

    listed.removeAll(templates);
    assertThat(listed).isEmpty();
  }

  @Test
  void anActionOnTheClusterNeedsNoNamesAndOneOnIndicesDoes() {
    for (Route route : routes()) {
      RouteAction action = actions.of(route).orElseThrow();
      boolean onIndices =
          action.scope() == RouteAction.Scope.INDICES
              || action.scope() == RouteAction.Scope.COMPOSITE;
      assertThat(action.onIndices().isEmpty()).as("%s", route).isEqualTo(!onIndices);
    }
  }
}
