package io.varve.coordinator.rest.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.RestHarness;
import io.varve.events.SessionToken;
import io.varve.events.ShardId;
import io.varve.rest.RestRequest;
import io.varve.rpc.ReadDemand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

class PromisesTest {

  private static final ShardId SHARD = new ShardId("a-uuid", 0);

  private RestHarness rest;

  @BeforeEach
  void start() {
    rest = new RestHarness();
    rest.cluster.stopClock();
    rest.cluster.searchedInTurn();
    rest.cluster.index("a", 1);
  }

  @AfterEach
  void stop() {
    rest.close();
  }

  private MockHttpServletResponse call(String line, String body, SessionToken session) {
    MockHttpServletRequest request = RestHarness.request(line);
    request.addHeader(RestRequest.SESSION, session.text());
    if (body != null) {
      request.setContentType("application/json");
      request.setContent(body.getBytes(StandardCharsets.UTF_8));
    }
    return rest.send(request);
  }

  private static SessionToken session(MockHttpServletResponse response) {
    String header = response.getHeader(RestRequest.SESSION);
    return header == null ? SessionToken.NONE : SessionToken.parse(header);
  }

  private static SessionToken of(long seqNo) {
    return SessionToken.NONE.plus(SHARD, seqNo);
  }

  @Test
  void everyWriteAnswersWithTheTokenOfWhatItWrote() {
    assertThat(session(rest.call("PUT /a/_doc/1", "{}"))).isEqualTo(of(0));
    assertThat(session(rest.call("PUT /a/_create/2", "{}"))).isEqualTo(of(1));
    assertThat(session(rest.call("POST /a/_update/1", "{\"doc\":{}}"))).isEqualTo(of(2));
    assertThat(session(rest.call("DELETE /a/_doc/1"))).isEqualTo(of(3));
    assertThat(session(rest.call("POST /a/_bulk", "{\"index\":{}}\n{}\n{\"index\":{}}\n{}\n")))
        .isEqualTo(of(5));
    assertThat(session(rest.call("POST /a/_delete_by_query", "{\"query\":{\"match_all\":{}}}")))
        .satisfies(token -> assertThat(token.seqNo(SHARD)).isGreaterThan(5));
  }

  @Test
  void theTokenGrowsByWhatIsWritten() {
    SessionToken before = SessionToken.NONE.plus(new ShardId("other", 3), 9).plus(SHARD, 100);
    assertThat(session(call("PUT /a/_doc/1", "{}", before))).isEqualTo(before);
  }

  @Test
  void aTokenThatIsFullLosesWhatIsGoneThenWhatIsOldestAndSaysSo() {
    rest.cluster.index("b", 1);
    rest.cluster.setting("cluster.consistency.session.max_shards", "1");
    ShardId other = new ShardId("b-uuid", 0);

    MockHttpServletResponse gone =
        call("PUT /a/_doc/1", "{}", SessionToken.NONE.plus(new ShardId("gone", 0), 1));
    assertThat(session(gone)).isEqualTo(of(0));
    assertThat(gone.getHeader("Warning")).isNull();

    MockHttpServletResponse full = call("PUT /a/_doc/1", "{}", SessionToken.NONE.plus(other, 1));
    assertThat(session(full)).isEqualTo(of(1));
    assertThat(full.getHeader("Warning")).contains("names only the 1 shards");
  }

  @Test
  void whatIsNoTokenIsRefused() {
    MockHttpServletRequest request = RestHarness.request("GET /a/_search");
    request.addHeader(RestRequest.SESSION, "?");
    MockHttpServletResponse response = rest.send(request);
    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(RestHarness.text(response)).contains("Varve-Session");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a/_search",
        "GET /a/_count",
        "GET /a/_doc/1?realtime=false",
        "GET /a/_search?scroll=1m",
        "POST /a/_search/point_in_time?keep_alive=1m"
      })
  void aReadUnderATokenIsAnsweredByACopyThatShowsIt(String line) {
    rest.call("PUT /a/_doc/1", "{}");
    rest.shards.lag("a0r", -1);
    for (int i = 0; i < 3; i++) {
      assertThat(call(line, null, of(0)).getStatus()).isEqualTo(200);
    }
    assertThat(rest.shards.demands()).allMatch(demand -> demand.seqNo() == 0);
  }

  @Test
  void aCopyThatIsKnownToShowItIsAskedFirst() {
    rest.call("PUT /a/_doc/1", "{}");
    rest.shards.lag("a0r", -1);
    for (int i = 0; i < 4; i++) {
      call("GET /a/_search", null, of(0));
    }
    long atReplica = rest.shards.calls().stream().filter("search a0r"::equals).count();
    assertThat(atReplica).isLessThanOrEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "GET /a/_search?consistency_timeout=150ms",
    "GET /a/_count?consistency_timeout=150ms",
    "GET /a/_doc/1?consistency_timeout=150ms",
    "GET /a/_search?consistency_timeout=150ms&preference=_replica"
  })
  void aPromiseThatNoCopyKeepsFailsInTime(String line) {
    rest.call("PUT /a/_doc/1", "{}");
    rest.shards.lag("a0r", 3);
    rest.shards.lag("a0p", 3);

    long beganNanos = rest.cluster.clock().nanos();
    MockHttpServletResponse response = call(line, null, of(7));

    assertThat(response.getStatus()).isEqualTo(504);
    assertThat(rest.cluster.clock().nanos() - beganNanos)
        .as("copies are asked again until the time is over")
        .isEqualTo(Duration.ofMillis(150).toNanos());
    assertThat(RestHarness.text(response)).contains("within 150 ms");
    assertThat(RestHarness.json(response).at("/error/root_cause/0/wanted_seq_no").asLong())
        .isEqualTo(7);
    assertThat(RestHarness.json(response).at("/error/root_cause/0/visible_seq_no").asLong())
        .isEqualTo(3);
    assertThat(RestHarness.json(response).at("/error/root_cause/0/index").asString())
        .isEqualTo("a");
    assertThat(RestHarness.json(response).at("/error/root_cause/0/shard").asString())
        .isEqualTo("0");
  }

  @Test
  void theTimeIsTheClustersUnlessTheRequestSaysAnother() {
    rest.cluster.setting("cluster.consistency.read.timeout", "0");
    rest.shards.lag("a0r", 3);
    rest.shards.lag("a0p", 3);
    assertThat(call("GET /a/_search", null, of(7)).getStatus()).isEqualTo(504);
    assertThat(RestHarness.text(call("GET /a/_search", null, of(7)))).contains("within 0 ms");
  }

  @Test
  void partsAreLeftOutOnlyWhenTheRequestSaysSo() {
    rest.cluster.index("b", 1);
    rest.shards.lag("a0r", 3);
    rest.shards.lag("a0p", 3);
    String line = "GET /a,b/_search?consistency_timeout=50ms";

    assertThat(call(line, null, of(7)).getStatus()).isEqualTo(504);

    MockHttpServletResponse partial =
        call(line + "&allow_partial_search_results=true", null, of(7));
    assertThat(partial.getStatus()).isEqualTo(200);
    assertThat(RestHarness.json(partial).at("/_shards/failures/0/reason/type").asString())
        .isEqualTo(ReadDemand.TIMEOUT_TYPE);
  }

  @ParameterizedTest
  @CsvSource({
    "consistency=strong, 0",
    "max_staleness=2s, 2000",
    "consistency=strong&max_staleness=2s, 0",
    "consistency=eventual, -1"
  })
  void asksCopiesForTheAgeOfWhatTheyShow(String parameters, long millis) {
    for (String path : new String[] {"_search", "_count", "_doc/1"}) {
      rest.call("GET /a/" + path + "?" + parameters);
    }
    assertThat(rest.shards.demands())
        .hasSize(3)
        .allMatch(demand -> demand.maxStalenessMillis() == millis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "consistency=weak",
        "max_staleness=-1",
        "max_staleness=soon",
        "consistency_timeout=-1",
        "consistency_timeout=301s"
      })
  void refusesWhatIsNoPromise(String parameter) {
    assertThat(rest.call("GET /a/_search?" + parameter).getStatus()).isEqualTo(400);
  }

  @Test
  void searchesTellWhatTheShardsShowedWhenAsked() {
    rest.call("PUT /a/_doc/1", "{}");
    for (String path : new String[] {"_search", "_count"}) {
      assertThat(
              RestHarness.json(rest.call("GET /a/" + path + "?visible_seq_no=true"))
                  .at("/_shards/visible_seq_no/a/0")
                  .asLong(-9))
          .isZero();
      assertThat(
              RestHarness.json(rest.call("GET /a/" + path))
                  .at("/_shards/visible_seq_no")
                  .isMissingNode())
          .isTrue();
    }
  }

  @Test
  void aRealtimeGetFromAReplicaAsksForAllThatIsInTheLogAndElseThePrimary() {
    rest.call("PUT /a/_doc/1", "{}");
    rest.call("GET /a/_doc/1?preference=_replica");
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "get a0r");
    assertThat(rest.shards.demands()).singleElement().matches(d -> d.maxStalenessMillis() == 0);

    rest.shards.lag("a0r", -1);
    assertThat(rest.call("GET /a/_doc/1?preference=_replica").getStatus()).isEqualTo(200);
    assertThat(rest.shards.calls()).endsWith("get a0r", "get a0p");
  }

  @Test
  void aRealtimeGetAsksThePrimaryAlone() {
    rest.call("PUT /a/_doc/1", "{}");
    rest.call("GET /a/_doc/1");
    rest.call("POST /_mget", "{\"docs\":[{\"_index\":\"a\",\"_id\":\"1\"}]}");
    assertThat(rest.shards.calls()).containsExactly("bulk a0p", "get a0p", "get a0p");
    assertThat(rest.shards.demands()).allMatch(ReadDemand::isNone);
  }

  @Test
  void aWriteThatIsNotVisibleEverywhereInTimeStaysAWriteAndNamesTheCopy() {
    rest.cluster.setting("cluster.consistency.write.visible_timeout", "150ms");
    rest.shards.lag("a0r", -1);

    for (String line :
        new String[] {"PUT /a/_doc/1?refresh=wait_for", "PUT /a/_doc/1?refresh=true"}) {
      long beganNanos = rest.cluster.clock().nanos();
      MockHttpServletResponse response = rest.call(line, "{}");
      assertThat(response.getStatus()).isBetween(200, 201);
      assertThat(rest.cluster.clock().nanos() - beganNanos)
          .as("the copy is asked again until the time is over")
          .isEqualTo(Duration.ofMillis(150).toNanos());
      assertThat(RestHarness.json(response).at("/_shards/failed").asInt()).isEqualTo(1);
      assertThat(RestHarness.json(response).at("/_shards/failures/0/reason/type").asString())
          .isEqualTo(ReadDemand.TIMEOUT_TYPE);
      assertThat(RestHarness.json(response).at("/_shards/failures/0/primary").asBoolean())
          .isFalse();
      assertThat(response.getHeader("Warning")).contains("not visible on every in-sync copy");
    }
    MockHttpServletResponse bulk =
        rest.call("POST /a/_bulk?refresh=wait_for", "{\"index\":{}}\n{}\n");
    assertThat(RestHarness.json(bulk).at("/errors").asBoolean(true)).isFalse();
    assertThat(RestHarness.json(bulk).at("/items/0/index/_shards/failed").asInt()).isEqualTo(1);
  }
}
