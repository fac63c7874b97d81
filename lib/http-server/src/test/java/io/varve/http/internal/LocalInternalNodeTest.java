package io.varve.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.ClusterSecret;
import io.varve.cluster.local.LocalNode;
import io.varve.http.security.Peers;
import io.varve.rpc.ApiException;
import io.varve.rpc.SearchCallHeaders;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Internal routes of a node that another node of the same process calls. */
class LocalInternalNodeTest {

  private static final String PREFIX = "/_internal/things";
  private static final ClusterSecret SECRET = new ClusterSecret("0123456789abcdef0123456789abcdef");

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final LocalNode node = node(null);

  private LocalNode node(@Nullable ClusterSecret secret) {
    return new LocalInternalNode(
        new InternalRoutes(
            List.of(
                new InternalRoute("GET", PREFIX + "/{id}", "thing", LocalInternalNodeTest::echo),
                new InternalRoute("POST", PREFIX + "/{id}", "body", LocalInternalNodeTest::body),
                new InternalRoute(
                    "POST", PREFIX + "/{id}/pieces", "pieces", LocalInternalNodeTest::pieces),
                new InternalRoute(
                    "POST", PREFIX + "/{id}/fail", "fail", LocalInternalNodeTest::fail)),
            meters,
            () -> 0,
            secret == null ? null : new Peers.WithSecret(secret)));
  }

  private static void echo(InternalCall call) throws IOException {
    call.response().setHeader(SearchCallHeaders.LOAD, "7");
    Bodies.sendJson(
        call.response(),
        Map.of(
            "id",
            call.requiredVariable("id"),
            "parameter",
            String.valueOf(call.request().getParameter("p")),
            "values",
            List.of(call.request().getParameterValues("p")),
            "header",
            String.valueOf(call.request().getHeader("accept"))));
  }

  private static void body(InternalCall call) throws IOException {
    Bodies.send(call.response(), "application/octet-stream", Bodies.read(call.request()));
  }

  private static void pieces(InternalCall call) throws IOException {
    for (String piece : List.of("a", "b")) {
      call.response().getOutputStream().write(piece.getBytes(UTF_8));
      call.response().flushBuffer();
    }
    call.response().getOutputStream().write('c');
  }

  private static void fail(InternalCall call) throws IOException, InterruptedException {
    call.response().setHeader(SearchCallHeaders.LOAD, "7");
    call.response().setHeader("ETag", "x");
    switch (call.requiredVariable("id")) {
      case "api" -> throw new ApiException(409, "stale_primary_exception", "another");
      case "argument" -> throw new IllegalArgumentException("no number");
      case "connection" -> throw new IOException("reset");
      case "unused" -> call.request().getSession();
      default -> throw new IllegalStateException("broken");
    }
  }

  private static LocalNode.Request request(String method, String target, String body) {
    return new LocalNode.Request(
        method, target, List.of(Map.entry("Accept", "zstd")), body.getBytes(UTF_8));
  }

  @Test
  void path_parameters_and_headers_are_decoded_as_over_http() throws IOException {
    LocalNode.Answer answer = node.handle(request("GET", PREFIX + "/a%2Fb?p=%C3%A4+1&p=2&q&", ""));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers())
        .containsEntry(SearchCallHeaders.LOAD, "7")
        .containsEntry("Content-Type", "application/json");
    assertThat(new String(answer.body(), UTF_8))
        .contains("\"id\":\"a/b\"")
        .contains("\"parameter\":\"ä 1\"")
        .contains("\"values\":[\"ä 1\",\"2\"]")
        .contains("\"header\":\"zstd\"");
  }

  @Test
  void pieces_of_an_answer_are_passed_on_when_they_are_flushed() throws IOException {
    List<String> pieces = new ArrayList<>();
    LocalNode.Request request = request("POST", PREFIX + "/a/pieces", "");

    LocalNode.Answer answer = node.handle(request, piece -> pieces.add(new String(piece, UTF_8)));

    assertThat(pieces).containsExactly("a", "b");
    assertThat(new String(answer.body(), UTF_8)).isEqualTo("c");
    assertThat(new String(node.handle(request).body(), UTF_8)).isEqualTo("abc");
  }

  @Test
  void a_body_is_read_and_answered() throws IOException {
    LocalNode.Answer answer = node.handle(request("POST", PREFIX + "/a", "x".repeat(100_000)));

    assertThat(new String(answer.body(), UTF_8)).isEqualTo("x".repeat(100_000));
    assertThat(meters.get("varve.http").tags("endpoint", "body", "status", "200").timer().count())
        .isOne();
  }

  @ParameterizedTest
  @CsvSource({
    "api,      409, stale_primary_exception",
    "argument, 400, illegal_argument_exception",
    "broken,   500, internal_server_error",
    // A method of the servlet API that no internal endpoint uses.
    "unused,   500, internal_server_error"
  })
  void a_failure_is_an_answer_that_keeps_the_load(String id, int status, String type)
      throws IOException {
    LocalNode.Answer answer = node.handle(request("POST", PREFIX + "/" + id + "/fail", ""));

    assertThat(answer.status()).isEqualTo(status);
    assertThat(new String(answer.body(), UTF_8)).contains(type);
    assertThat(answer.headers())
        .containsEntry(SearchCallHeaders.LOAD, "7")
        .doesNotContainKey("ETag");
  }

  @Test
  void what_breaks_a_connection_is_thrown() {
    assertThatThrownBy(() -> node.handle(request("POST", PREFIX + "/connection/fail", "")))
        .isInstanceOf(IOException.class)
        .hasMessage("reset");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    /_internal/things/1,      true",
    "GET,    /_internal/things/1?p=2,  true",
    "DELETE, /_internal/things/1,      false",
    "GET,    /_internal/things,        false",
    "GET,    /_internal/things/%zz,    false",
    "GET,    /,                        false"
  })
  void only_internal_endpoints_are_served(String method, String target, boolean serves) {
    assertThat(node.serves(request(method, target, ""))).isEqualTo(serves);
  }

  @Test
  void the_secret_of_the_cluster_is_required_as_over_http() throws IOException {
    LocalNode secured = node(SECRET);
    LocalNode.Request without = request("GET", PREFIX + "/a?p=1", "");
    LocalNode.Request with =
        new LocalNode.Request(
            "GET",
            PREFIX + "/a?p=1",
            List.of(Map.entry(ClusterSecret.HEADER, SECRET.header())),
            new byte[0]);

    assertThat(secured.handle(without).status()).isEqualTo(401);
    assertThat(secured.handle(with).status()).isEqualTo(200);
  }
}
