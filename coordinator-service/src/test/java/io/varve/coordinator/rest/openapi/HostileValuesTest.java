package io.varve.coordinator.rest.openapi;

import static io.varve.coordinator.rest.RestHarness.json;
import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.rest.ParameterKind;
import io.varve.rest.RestEndpoint;
import io.varve.rest.Route;
import io.varve.rest.openapi.EndpointProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** No duration or size that a client sends causes a server error. */
class HostileValuesTest {

  /** Invalid durations, and durations longer than any allowed wait. */
  private static final List<String> REFUSED =
      List.of(
          "5",
          "-5s",
          "1.5s",
          "1.5.2s",
          "1e9d",
          "999999d",
          "9223372036854775807d",
          "9223372036854775807ms",
          "99999999999999999999d");

  /** Values that may be read as a duration or as the default. */
  private static final List<String> EDGES = List.of("", "-1", "0", "36500d");

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void create() {
    rest.cluster.index("books", 1);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private record Parameter(RestEndpoint endpoint, Route route, String name) {

    String call(String value) {
      String path = route.template().replaceAll("\\{[^}]*}", "books");
      StringBuilder line =
          new StringBuilder(route.method() + " " + path + "?" + name + "=" + value);
      endpoint
          .example()
          .parameters()
          .forEach((other, text) -> line.append('&').append(other).append('=').append(text));
      return line.toString();
    }
  }

  private Stream<Parameter> times() {
    return rest.endpoints.stream()
        .flatMap(endpoint ->
            endpoint.routes().stream()
                .flatMap(route ->
                    EndpointProbe.of(endpoint, route).parameters().entrySet().stream()
                        .filter(entry -> entry.getValue() == ParameterKind.TIME)
                        .map(entry -> new Parameter(endpoint, route, entry.getKey()))));
  }

  @Test
  void everyTimeParameterOfEveryRouteIsRefusedWith400() {
    List<String> wrong = new ArrayList<>();
    times()
        .forEach(parameter -> {
          for (String value : REFUSED) {
            MockHttpServletResponse answer = call(parameter, value);
            if (answer.getStatus() != 400) {
              wrong.add(parameter.call(value) + ": " + answer.getStatus() + " " + text(answer));
            }
          }
        });
    assertThat(times()).hasSizeGreaterThan(100);
    assertThat(wrong).isEmpty();
  }

  private MockHttpServletResponse call(Parameter parameter, String value) {
    String body = parameter.endpoint().example().body();
    return rest.call(parameter.call(value), body.isEmpty() ? null : body);
  }

  static Stream<String[]> timesReadElsewhere() {
    String query = "{\"query\":{\"match_all\":{}}}";
    return Stream.of(
        new String[] {"POST /books/_update_by_query?scroll=@", null},
        new String[] {"POST /books/_update_by_query?search_timeout=@", null},
        new String[] {"POST /books/_delete_by_query?scroll=@", query},
        new String[] {
          "POST /_reindex?scroll=@", "{\"source\":{\"index\":\"books\"},\"dest\":{\"index\":\"b\"}}"
        },
        new String[] {"GET /books/_search?scroll=@", null},
        new String[] {"GET /books/_search?timeout=@", null},
        new String[] {"GET /books/_search?cancel_after_time_interval=@", null},
        new String[] {"GET /books/_search?max_staleness=@", null},
        new String[] {"GET /books/_search?consistency_timeout=@", null},
        new String[] {"GET /books/_doc/1?max_staleness=@", null},
        new String[] {"GET /books/_doc/1?consistency_timeout=@", null},
        new String[] {"GET /books/_search", "{\"timeout\":\"@\"}"},
        new String[] {"POST /books/_search/point_in_time?keep_alive=@", null},
        new String[] {"POST /books/_rollover", "{\"conditions\":{\"max_age\":\"@\"}}"});
  }

  @ParameterizedTest
  @MethodSource("timesReadElsewhere")
  void timesOfOtherParametersAndBodiesAreRefusedWith400(String line, String body) {
    for (String value : REFUSED) {
      assertThat(status(line, body, value)).as(line + " " + value).isEqualTo(400);
    }
    for (String value : EDGES) {
      assertThat(status(line, body, value)).as(line + " " + value).isNotEqualTo(500);
    }
  }

  @Test
  void sizesAreRefusedWith400() {
    for (String value :
        List.of("", "5", "-5b", "1e9b", "1e999999999kb", "1.5.2kb", "9223372036854775807pb")) {
      assertThat(status("POST /written/_rollover", "{\"conditions\":{\"max_size\":\"@\"}}", value))
          .as(value)
          .isEqualTo(400);
    }
  }

  private int status(String line, String body, String value) {
    return rest.call(line.replace("@", value), body == null ? null : body.replace("@", value))
        .getStatus();
  }

  @Test
  void aScrollThatIsToStayTooLongIsRefusedAsOpenSearchDoes() {
    MockHttpServletResponse answer = rest.call("POST /books/_update_by_query?scroll=999999d");
    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(json(answer).path("error").path("reason").asString())
        .isEqualTo(
            "Keep alive for request (999999d) is too large. It must be less than (1d). This limit"
                + " can be set by changing the [search.max_keep_alive] cluster level setting.");
  }
}
