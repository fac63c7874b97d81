package io.varve.coordinator.rest.byquery;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.ShardClient.RereplicateCall;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.RetentionLease;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPage.Compared;
import io.varve.rpc.RereplicationPage.Outcomes;
import io.varve.rpc.RereplicationPage.Proofs;
import io.varve.rpc.RereplicationPage.Writes;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.WriteItem;
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
    boolean walks = call.step().equals("walk");
    boolean writes = call.work().operations().writes();
    boolean known = writes || call.at().saidBy(term, run);
    long next = walks ? (known ? call.at().nextSeqNo() : 0) + 10 : 0;
    int end = call.step().equals("checkpoint") ? 0 : 20;
    Writes written = writes ? new Writes(7, 1, 1) : Writes.NONE;
    return new RereplicationPage(
        new RereplicationPosition(term, run, next, end),
        20 - next,
        3,
        walks ? new Outcomes(10, new Proofs(9, 1, 0, 0), written) : Outcomes.NONE,
        call.work().verify() ? new Compared(3, 1, 5) : null,
        null);
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
      if (call.step().equals("walk") && call.at().nextSeqNo() == 10 && copy.shard().number() == 0) {
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
  void aPrimaryOfAReleaseWithoutJobsRefusesTheJobByNameAndEndsOneThatRuns() {
    ApiException noEndpoint =
        new ApiException(404, "resource_not_found_exception", "no endpoint at [POST …]");
    rest.shards.rereplicating((copy, call) -> {
      if (call.step().equals("walk") && copy.shard().number() == 1) {
        throw noEndpoint;
      }
      return page(call, 1, "run");
    });
    JsonNode ended = run("");
    assertThat(ended.at("/failures/0/shard").asInt(-1)).isEqualTo(1);
    assertThat(ended.at("/failures/0/status").asInt()).isEqualTo(400);
    assertThat(ended.at("/failures/0/reason/reason").asString())
        .contains("whose release can't re-replicate");
    assertThat(ended.at("/shards/0/done").asBoolean()).isTrue();

    rest.shards.rereplicating((copy, call) -> {
      throw noEndpoint;
    });
    MockHttpServletResponse refused = rest.call("POST /a/_rereplicate");
    assertThat(refused.getStatus()).isEqualTo(400);
    assertThat(RestHarness.text(refused)).contains("whose release can't re-replicate");
  }

  @Test
  void aCheckpointIsOneStepOfEachShard() {
    JsonNode answer = run("?method=checkpoint");

    assertThat(answer.path("method").asString()).isEqualTo("checkpoint");
    assertThat(calls).extracting(RereplicateCall::step).contains("checkpoint");
    assertThat(answer.path("checked").asInt()).isZero();
  }

  @Test
  void aFollowedIndexIsTouchedOnlyIfItsFollowersMayReceiveItsDocumentsAgain() {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.LeasesChanged(
                Map.of("a-uuid", Map.of("other", new RetentionLease(7, 0, Map.of(0, 5L)))))));

    MockHttpServletResponse refused = rest.call("POST /a/_rereplicate?method=touch");
    assertThat(refused.getStatus()).isEqualTo(400);
    assertThat(json(refused).at("/error/reason").asString()).contains("[allow_reship]");
    assertThat(
            rest.call("POST /a/_rereplicate?method=execute", "{\"operations\":[\"touch\"]}")
                .getStatus())
        .isEqualTo(400);
    assertThat(rest.call("POST /a/_rereplicate?method=touch&allow_reship=true").getStatus())
        .isEqualTo(200);
    assertThat(rest.call("POST /a/_rereplicate").getStatus()).as("peek").isEqualTo(200);
  }

  @Test
  void aCheckpointComparesTheCopiesOnRequest() {
    JsonNode answer = run("?method=checkpoint&verify=digest");

    assertThat(calls)
        .filteredOn(call -> call.step().equals("checkpoint"))
        .hasSize(2)
        .allMatch(call -> call.work().verify());
    assertThat(answer.path("compared").toString())
        .isEqualTo("{\"ranges\":6,\"differing_ranges\":2,\"files\":10}");
    assertThat(run("?method=checkpoint").has("compared")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "/a/_rereplicate?method=other, [method]",
    "/a/_rereplicate?method=statement, [operations]",
    "/a/_rereplicate?method=execute, [operations]",
    "/a/_rereplicate?method=touch&conflicts=other, conflicts",
    "/a/_rereplicate?method=touch&requests_per_second=0, [requests_per_second]",
    "/a/_rereplicate?method=touch&slices=0, [slices]",
    "/a/_rereplicate?method=touch&resume=nonsense, [resume]",
    "/a/_rereplicate?method=checkpoint&resume=x, [resume]",
    "/a/_rereplicate?method=checkpoint&slices=1, [slices]",
    "/a/_rereplicate?method=checkpoint&requests_per_second=1, [requests_per_second]",
    "/a/_rereplicate?conflicts=proceed, [conflicts]",
    "/a/_rereplicate?requests_per_second=0, [requests_per_second]",
    "/a/_rereplicate?slices=0, [slices]",
    "/a/_rereplicate?resume=nonsense, [resume]",
    "/a/_rereplicate?method=checkpoint&verify=all, [verify]",
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "peek | {\"operations\":[\"read\"]} | [operations] is not supported by method [peek]",
        "checkpoint | {\"query\":{\"match_all\":{}}} | [query]",
        "touch | {\"query\":{\"unknown\":{}}} | unknown",
        "peek | {\"query\":{\"terms\":{\"f\":{\"index\":\"i\",\"id\":\"1\",\"path\":\"p\"}}}} | [query]",
        "execute | {\"operations\":[]} | [operations]",
        "execute | {\"operations\":\"read\"} | [operations]",
        "execute | {\"operations\":[\"delete\"]} | [operations]",
        "execute | {\"operations\":[{\"update\":{}}]} | [operations]",
        "execute | {\"operations\":[{\"update\":{\"doc\":1}}]} | [operations]",
        "execute | {\"operations\":[{\"update\":{\"doc\":{}}},{\"update\":{\"doc\":{}}}]} | [operations]",
      })
  void aBodyThatTheMethodDoesNotUseIsRefusedByName(String method, String body, String name) {
    MockHttpServletResponse response = rest.call("POST /a/_rereplicate?method=" + method, body);

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/reason").asString()).contains(name);
  }

  @Test
  void aTouchPassesItsWorkToEachPrimaryAndGoesOnUnderAnotherOne() {
    MockHttpServletResponse response =
        rest.call("POST /a/_rereplicate?method=touch", "{\"query\":{\"term\":{\"n\":1}}}");
    JsonNode answer = json(response);

    assertThat(calls)
        .filteredOn(call -> call.step().equals("walk"))
        .hasSize(4)
        .allSatisfy(call -> {
          assertThat(call.work().operations()).isEqualTo(RecordOperations.TOUCH);
          assertThat(call.work().query()).isEqualTo("{\"term\":{\"n\":1}}");
          assertThat(call.work().proceed()).isTrue();
        });
    assertThat(answer.path("updated").asInt()).isEqualTo(28);
    assertThat(answer.path("version_conflicts").asInt()).isEqualTo(4);
    assertThat(answer.path("noops").asInt()).isEqualTo(4);
    assertThat(answer.path("left").asInt()).isZero();

    rest.shards.rereplicating((copy, call) -> {
      long term = call.at().nextSeqNo() == 10 ? 2 : 1;
      return page(call, term, "run" + term);
    });
    JsonNode moved = run("?method=touch");
    assertThat(moved.at("/shards/0/restarted").asBoolean()).isFalse();
    assertThat(moved.path("checked").asInt()).as("nothing twice").isEqualTo(40);
  }

  @Test
  void theOperationsOfAnExecutionAreItsArgument() {
    rest.call(
        "POST /a/_rereplicate?method=execute&conflicts=abort",
        "{\"operations\":[\"read\",\"touch\",{\"update\":{\"doc\":{\"n\":7}}}]}");

    assertThat(calls)
        .filteredOn(call -> call.step().equals("walk"))
        .isNotEmpty()
        .allSatisfy(call -> {
          assertThat(call.work().operations()).isEqualTo(new RecordOperations(true, "{\"n\":7}"));
          assertThat(call.work().proceed()).isFalse();
        });
  }

  @Test
  void aShardWhosePrimaryGivesAReasonEndsAndTheOthersGoOn() {
    rest.shards.rereplicating((copy, call) -> {
      RereplicationPage page = page(call, 1, "run");
      return copy.shard().number() == 0 && call.step().equals("walk")
          ? new RereplicationPage(
              page.next(),
              -1,
              0,
              Outcomes.NONE,
              null,
              new RereplicationPage.Failure(409, "version_conflict_engine_exception", "changed"))
          : page;
    });

    JsonNode answer = run("?method=touch&conflicts=abort");

    assertThat(answer.at("/failures/0/shard").asInt(-1)).isZero();
    assertThat(answer.at("/failures/0/reason/type").asString())
        .isEqualTo("version_conflict_engine_exception");
    assertThat(answer.at("/shards/1/done").asBoolean()).isTrue();
  }

  @Test
  void aBlockedIndexIsNotTouched() {
    rest.cluster.index(
        "b", 1, Map.of("index.replication.consistency", "strong", "index.blocks.write", "true"));

    assertThat(rest.call("POST /b/_rereplicate").getStatus()).isEqualTo(200);
    assertThat(rest.call("POST /b/_rereplicate?method=touch").getStatus()).isEqualTo(403);
  }

  @Test
  void aStatementProvesItsHitsAndWritesThoseThatAreProven() {
    for (int i = 0; i < 6; i++) {
      rest.call("PUT /a/_doc/d" + i, "{\"n\":" + i + "}");
    }
    List<WriteItem> written = new CopyOnWriteArrayList<>();
    rest.shards.onBulk(call -> written.addAll(call.items()));
    rest.shards.proving((copy, versions) ->
        new ProvenRecords(List.of(0), new Proofs(1, 0, versions.size() - 1, 0), 2));

    JsonNode answer =
        json(
            rest.call(
                "POST /a/_rereplicate?method=statement&slices=1",
                "{\"operations\":[\"read\",{\"update\":{\"doc\":{\"n\":7}}}]}"));

    assertThat(answer.path("method").asString()).isEqualTo("statement");
    assertThat(answer.path("total").asInt()).isEqualTo(6);
    assertThat(answer.path("checked").asInt()).isEqualTo(6);
    assertThat(answer.path("re_replicated").asInt()).isEqualTo(2);
    assertThat(answer.path("timeouts").asInt()).isEqualTo(4);
    assertThat(written)
        .hasSize(2)
        .allSatisfy(item -> {
          assertThat(item.kind()).isEqualTo(WriteItem.Kind.UPDATE);
          assertThat(item.ifPrimaryTerm()).isPositive();
        });
    assertThat(rest.shards.calls()).filteredOn(call -> call.startsWith("end")).hasSize(2);
  }

  @Test
  void aStatementCanNotBeResumed() {
    MockHttpServletResponse response =
        rest.call("POST /a/_rereplicate?method=statement&resume=x", "{\"operations\":[\"read\"]}");

    assertThat(response.getStatus()).isEqualTo(400);
    assertThat(json(response).at("/error/reason").asString()).contains("[resume]");
  }

  @Test
  void aStatementThatOnlyReadsWritesNothing() {
    rest.call("PUT /a/_doc/d1", "{\"n\":1}");
    List<WriteItem> written = new CopyOnWriteArrayList<>();
    rest.shards.onBulk(call -> written.addAll(call.items()));

    JsonNode answer =
        json(rest.call("POST /a/_rereplicate?method=statement", "{\"operations\":[\"read\"]}"));

    assertThat(answer.path("re_replicated").asInt()).isEqualTo(1);
    assertThat(answer.path("failures")).isEmpty();
    assertThat(written).isEmpty();
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
