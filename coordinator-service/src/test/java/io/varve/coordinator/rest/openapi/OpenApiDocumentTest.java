package io.varve.coordinator.rest.openapi;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.rest.ParameterKind;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.openapi.EndpointProbe;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

/** The document and the endpoints are consistent. */
class OpenApiDocumentTest {

  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
  }

  private record Served(RestEndpoint endpoint, Route route) {}

  private Stream<Served> served() {
    return rest.endpoints.stream()
        .flatMap(endpoint -> endpoint.routes().stream().map(route -> new Served(endpoint, route)));
  }

  private JsonNode document() {
    return json(rest.call("GET /openapi.json"));
  }

  private static String shape(String path) {
    return path.replaceAll("\\{[^}]*}", "{}");
  }

  @Test
  void everyRouteIsInTheDocumentAndNothingElse() {
    List<String> documented = new ArrayList<>();
    document()
        .path("paths")
        .forEachEntry((path, operations) ->
            operations.forEachEntry((method, o) ->
                documented.add(method.toUpperCase(Locale.ROOT) + " " + shape(path))));

    assertThat(documented)
        .containsExactlyInAnyOrderElementsOf(
            served().map(s -> s.route().method() + " " + shape(s.route().template())).toList());
  }

  @Test
  void everyEndpointTakesItsOwnExampleSoThatAllItReadsIsKnown() {
    List<String> refused = new ArrayList<>();
    served()
        .forEach(s -> {
          String refusal = EndpointProbe.of(s.endpoint(), s.route()).refusal();
          if (refusal != null) {
            refused.add(s.route() + ": " + refusal);
          }
        });

    assertThat(refused).as("these endpoints need an example()").isEmpty();
  }

  @Test
  void everyParameterOfTheDocumentIsKnownToItsEndpoint() {
    List<String> unknown = new ArrayList<>();
    document()
        .path("paths")
        .forEachEntry((path, operations) ->
            operations.forEachEntry((method, operation) -> {
              for (JsonNode parameter : operation.path("parameters")) {
                String name = parameter.path("name").asString("");
                if (parameter.path("in").asString("").equals("query")
                    && isUnknown(method.toUpperCase(Locale.ROOT), path, name)) {
                  unknown.add(method + " " + path + " " + name);
                }
              }
            }));

    assertThat(unknown).isEmpty();
  }

  private boolean isUnknown(String method, String path, String parameter) {
    String uri = path.replace("{", "").replace("}", "");
    MockHttpServletResponse response = rest.call(method + " " + uri + "?" + parameter + "=!");
    return text(response).contains("unrecognized parameter");
  }

  @Test
  void operationsHaveNamesOfTheirOwn() {
    List<String> names = new ArrayList<>();
    document()
        .path("paths")
        .forEach(operations ->
            operations.forEach(operation -> names.add(operation.path("operationId").asString())));

    assertThat(names).doesNotHaveDuplicates();
  }

  /** Reads one parameter of each kind, and another one if there is a body. */
  private record Toy(boolean needsBody) implements RestEndpoint {

    @Override
    public List<Route> routes() {
      return Route.getAndPost("/{thing}/_toy", "/_toy");
    }

    @Override
    public RequestExample example() {
      return RequestExample.ofBody("{\"a\":1}");
    }

    @Override
    public RestAction prepare(RestRequest request) {
      request.param("thing");
      request.flag("flag", false);
      request.integer("count", 1);
      request.time("wait", Duration.ZERO);
      if (needsBody && !request.hasBody()) {
        throw new ApiException(ErrorBody.illegalArgument("no body"));
      }
      request.list("names");
      return responder -> responder.status(200);
    }
  }

  @Test
  void whatIsReadAfterARefusalIsFoundWithTheExample() {
    EndpointProbe probe = EndpointProbe.of(new Toy(true), Route.get("/_toy").getFirst());

    assertThat(probe.parameters())
        .isEqualTo(
            Map.of(
                "flag", ParameterKind.FLAG,
                "count", ParameterKind.INTEGER,
                "wait", ParameterKind.TIME,
                "names", ParameterKind.LIST,
                "source", ParameterKind.TEXT));
    assertThat(probe.body()).isEqualTo(EndpointProbe.Body.REQUIRED);
    assertThat(probe.refusal()).isNull();
  }

  @Test
  void aBodyThatIsNotAskedForIsNotDocumented() {
    assertThat(EndpointProbe.of(new Toy(false), Route.get("/_toy").getFirst()).body())
        .isEqualTo(EndpointProbe.Body.NONE);
  }
}
