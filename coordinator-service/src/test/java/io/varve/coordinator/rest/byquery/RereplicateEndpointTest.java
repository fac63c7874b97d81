package io.varve.coordinator.rest.byquery;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.RereplicateCall;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPage.Outcomes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;

class RereplicateEndpointTest {

  private final RestHarness rest = new RestHarness();
  private final List<RereplicateCall> calls = new CopyOnWriteArrayList<>();

  @BeforeEach
  void aStrongIndexOfTwoShards() {
    rest.cluster.index("eventual", 1);
    rest.cluster.index("a", 2, Map.of("index.replication.consistency", "strong"));
    rest.shards.rereplicating((copy, call) -> page(call, 1, "run"));
  }

  @AfterEach
  void close() {
    rest.close();
  }

  /** A shard with seq_nos 0 to 19, of which each step checks 10. */
  private RereplicationPage page(RereplicateCall call, long term, String run) {
    calls.add(call);
    boolean walks = call.step().equals("peek");
    boolean known = call.term() == term && call.incarnation().equals(run);
    long next = walks ? (known ? call.nextSeqNo() : 0) + 10 : 0;
    int end = call.step().equals("checkpoint") ? 0 : 20;
    return new RereplicationPage(
        term, run, next, end, 20 - next, 3, walks ? new Outcomes(9, 1, 0, 0) : Outcomes.NONE);
  }

  private JsonNode run(String parameters) {
    MockHttpServletResponse response = rest.call("POST /a/_rereplicate" + parameters);
    assertThat(response.getStatus()).as(() -> RestHarness.text(response)).isEqualTo(200);
    return json(response);
  }

  @Test
  void aPeekWalksAllShardsToTheirEndsAndReleasesThem() {
    JsonNode answer = run("");

    assertThat(answer.path("method").asString()).isEqualTo("peek");
    assertThat(answer.path("total").asInt()).isEqualTo(40);
    assertThat(answer.path("checked").asInt()).isEqualTo(40);
    assertThat(answer.path("re_replicated").asInt()).isEqualTo(36);
    assertThat(answer.path("errors").asInt()).isEqualTo(4);
    assertThat(answer.path("unreplicated_records").asInt()).isZero();
    assertThat(answer.path("throttled_millis").asInt()).isGreaterThanOrEqualTo(12);
    assertThat(answer.at("/shards/1/done").asBoolean()).isTrue();
    assertThat(answer.path("failures")).isEmpty();
    assertThat(rest.shards.calls()).filteredOn(call -> call.startsWith("end")).hasSize(2);
  }

  @Test
  void aJobContinuesWhereATokenSaysUnderTheSamePrimaryOnly() {
    rest.shards.rereplicating((copy, call) -> {
      if (call.step().equals("peek") && call.nextSeqNo() == 10 && copy.shard().number() == 0) {
        throw new ApiException(400, "illegal_argument_exception", "no");
      }
      return page(call, 1, "run");
    });
    JsonNode stopped = run("?slices=1");
    assertThat(stopped.at("/failures/0/shard").asInt(-1)).isZero();
    assertThat(stopped.at("/shards/1/done").asBoolean()).as("other shards go on").isTrue();
    String token = stopped.path("resume").asString();

    rest.shards.rereplicating((copy, call) -> page(call, 1, "run"));
    JsonNode resumed = run("?resume=" + token);
    assertThat(resumed.at("/shards/0/done").asBoolean()).isTrue();
    assertThat(resumed.at("/shards/0/restarted").asBoolean()).isFalse();
    assertThat(resumed.path("checked").asInt()).isLessThan(40);

    rest.shards.rereplicating((copy, call) -> page(call, 2, "other"));
    JsonNode restarted = run("?resume=" + token);
    assertThat(restarted.at("/shards/0/restarted").asBoolean()).isTrue();
    assertThat(restarted.path("checked").asInt()).isEqualTo(40);
  }

  @Test
  void aSecondJobOnTheIndexIsRefusedAndNothingStaysClaimed() {
    rest.shards.rereplicating((copy, call) -> {
      if (copy.shard().number() == 1 && call.step().equals("begin")) {
        throw new ApiException(409, "resource_already_exists_exception", "another job");
      }
      return page(call, 1, "run");
    });

    MockHttpServletResponse refused = rest.call("POST /a/_rereplicate?wait_for_completion=false");

    assertThat(refused.getStatus()).isEqualTo(409);
    assertThat(rest.shards.calls()).contains("end a0p");
  }

  @Test
  void aPrimaryThatDoesNotAnswerAtTheStartRefusesTheJob() {
    rest.shards.fail("a1p", new UnreachableException("gone", new IOException("gone")));

    assertThat(rest.call("POST /a/_rereplicate").getStatus()).isEqualTo(503);
  }

  @Test
  void aCheckpointIsOneStepOfEachShard() {
    JsonNode answer = run("?method=checkpoint");

    assertThat(answer.path("method").asString()).isEqualTo("checkpoint");
    assertThat(calls).extracting(RereplicateCall::step).contains("checkpoint");
    assertThat(answer.path("checked").asInt()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "/a/_rereplicate?method=other, [method]",
    "/a/_rereplicate?method=touch, [method] [touch] is not supported yet",
    "/a/_rereplicate?method=statement, [method] [statement] is not supported yet",
    "/a/_rereplicate?method=execute, [method] [execute] is not supported yet",
    "/a/_rereplicate?requests_per_second=0, [requests_per_second]",
    "/a/_rereplicate?slices=0, [slices]",
    "/a/_rereplicate?resume=nonsense, [resume]",
    "/a/_rereplicate?method=checkpoint&verify=digest, [verify]",
    "/a/_rereplicate?verify=digest, [verify]",
    "/a/_rereplicate?allow_reship=true, [allow_reship]",
    "/eventual/_rereplicate, [index.replication.consistency=strong]",
    "/*/_rereplicate, [index]",
  })
  void badInputIsRefusedByName(String path, String name) {
    MockHttpServletResponse response = rest.call("POST " + path);

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/reason").asString()).contains(name);
  }

  @Test
  void aBodyThatTheMethodDoesNotUseIsRefusedByName() {
    MockHttpServletResponse response =
        rest.call("POST /a/_rereplicate", "{\"query\":{\"match_all\":{}}}");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/reason").asString()).contains("[query]");
  }

  @ParameterizedTest
  @CsvSource({"other-uuid, peek, another index", "a-uuid, checkpoint, method [checkpoint]"})
  void aTokenOfAnotherIndexOrMethodIsRefused(String uuid, String method, String reason) {
    String token = new ResumeToken(uuid, method, Map.of()).encode();

    MockHttpServletResponse response = rest.call("POST /a/_rereplicate?resume=" + token);

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/reason").asString()).contains(reason);
  }
}
