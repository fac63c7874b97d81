package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.coordinator.rest.search.SearchContextId.Kind;
import io.varve.coordinator.rest.search.SearchContextId.Member;
import io.varve.coordinator.security.FakeSecurity;
import io.varve.events.ShardId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** With security, an id of a scroll or a point in time is of use only to the user who got it. */
class SignedContextIdTest {

  private final RestHarness rest =
      RestHarness.secured(new FakeSecurity().user("ann", "admin").user("bob", "admin"));

  @BeforeEach
  void index() {
    rest.cluster.index("books", 1);
    assertThat(as("ann", "PUT /books/_doc/1", "{\"a\":1}").getStatus()).isEqualTo(201);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private MockHttpServletResponse as(String user, String line, String body) {
    MockHttpServletRequest request = RestHarness.request(line);
    request.addHeader("Authorization", FakeSecurity.basic(user));
    request.setContentType("application/json");
    request.setContent(body.getBytes(StandardCharsets.UTF_8));
    return rest.send(request);
  }

  private String pitOfAnn() {
    MockHttpServletResponse opened =
        as("ann", "POST /books/_search/point_in_time?keep_alive=1m", "");
    assertThat(opened.getStatus()).isEqualTo(200);
    return RestHarness.json(opened).path("pit_id").asString();
  }

  private int searched(String user, String pit) {
    return as(user, "POST /_search", "{\"pit\":{\"id\":\"" + pit + "\"}}").getStatus();
  }

  @Test
  void itsUserUsesAndEndsIt() {
    String pit = pitOfAnn();
    assertThat(searched("ann", pit)).isEqualTo(200);
    assertThat(
            as("ann", "DELETE /_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}")
                .getStatus())
        .isEqualTo(200);
  }

  @Test
  void anotherUserNeitherUsesNorEndsItWhateverItsRole() {
    String pit = pitOfAnn();
    rest.shards.calls().clear();

    assertThat(searched("bob", pit)).isEqualTo(400);
    assertThat(
            as("bob", "DELETE /_search/point_in_time", "{\"pit_id\":[\"" + pit + "\"]}")
                .getStatus())
        .isEqualTo(400);
    assertThat(rest.shards.calls()).isEmpty();
    assertThat(searched("ann", pit)).isEqualTo(200);
  }

  @Test
  void anIdThatNobodySignedIsNone() {
    Member member = new Member("books", new ShardId("books-uuid", 0), "n1", null);
    String pit = new SearchContextId(Kind.PIT, "6d5f", 1, List.of(member)).encoded();
    String scroll = new SearchContextId(Kind.SCROLL, "6d5f", 1, List.of(member)).encoded();
    rest.shards.calls().clear();

    assertThat(searched("ann", pit)).isEqualTo(400);
    assertThat(as("ann", "POST /_search/scroll", "{\"scroll_id\":\"" + scroll + "\"}").getStatus())
        .isEqualTo(400);
    assertThat(rest.shards.calls()).isEmpty();
  }

  @Test
  void aChangedIdIsNone() {
    String pit = pitOfAnn();
    for (int i = 0; i < pit.length() - 1; i += 7) {
      char other = pit.charAt(i) == 'A' ? 'B' : 'A';
      assertThat(searched("ann", pit.substring(0, i) + other + pit.substring(i + 1)))
          .isEqualTo(400);
    }
  }
}
