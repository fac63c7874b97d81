package io.varve.host.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.host.ShardCopy;
import io.varve.http.security.PeerRefusals;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A replica whose node may know the cluster state later than the node that calls. */
class CallerGateTest {

  private static final ClusterState TWO_COPIES = CopyClaimTest.twoCopies();
  private static final ClusterState PROMOTED =
      TWO_COPIES.apply(new ClusterEvent.ReplicaPromoted(CopyClaimTest.SHARD, "replica", 4, "test"));

  /** A copy that knows its shard only. */
  private static final ShardCopy COPY =
      (ShardCopy)
          Proxy.newProxyInstance(
              ShardCopy.class.getClassLoader(),
              new Class<?>[] {ShardCopy.class},
              (_, method, _) -> {
                assertThat(method.getName()).isEqualTo("shard");
                return CopyClaimTest.SHARD;
              });

  private final Log log = new Log();
  private final FormerPrimaries former = new FormerPrimaries("r");
  private final List<PeerRefusals.Refusal> recorded = new ArrayList<>();
  private final List<String> carriedOut = new ArrayList<>();
  private Optional<String> caller = Optional.of("p");

  /** The cluster log: the state that is known, and that of its end. */
  private static final class Log implements CallerGate.KnownCluster {
    ClusterState known = TWO_COPIES;
    @Nullable ClusterState end = TWO_COPIES;
    @Nullable LogException failure;

    @Override
    public ClusterState current() {
      return known;
    }

    @Override
    public boolean awaitEndOfLog(Duration timeout) throws LogException {
      if (failure != null) {
        throw failure;
      }
      if (end == null) {
        return false;
      }
      known = end;
      return true;
    }
  }

  private void call(String name) throws IOException, InterruptedException {
    ShardEndpoint endpoint = (_, _, _, _) -> carriedOut.add(name);
    MockHttpServletRequest request =
        new MockHttpServletRequest(name.substring(0, name.indexOf(' ')), "/_internal/x");
    request.addParameter("copy_id", "replica");
    new CallerGate(log, former, recorded::add, _ -> caller)
        .before(Map.of(name, endpoint))
        .get(name)
        .handle(COPY, "", request, new MockHttpServletResponse());
  }

  private ErrorBody refusal(String name) {
    ApiException refused = catchThrowableOfType(ApiException.class, () -> call(name));
    assertThat(refused).as(name).isNotNull();
    assertThat(carriedOut).isEmpty();
    return refused.error();
  }

  @Test
  void whatAPrimaryDoesIsDoneForItsNodeAlone() throws Exception {
    List<String> requests = List.of("POST contradicted", "POST merged", "DELETE merged");
    for (String node : List.of("r", "other")) {
      caller = Optional.of(node);
      for (String request : requests) {
        assertThat(refusal(request).status()).isEqualTo(403);
      }
    }
    caller = Optional.of("p");
    for (String request : requests) {
      call(request);
    }
    assertThat(carriedOut).isEqualTo(requests);
  }

  @Test
  void aCopyIsAdmittedForItsNodeAlone() throws Exception {
    assertThat(refusal("POST admit").reason()).contains("may not act for the node [r]");
    caller = Optional.of("r");
    call("POST admit");
    assertThat(carriedOut).containsExactly("POST admit");
  }

  @Test
  void aRefusalIsRecordedWithTheRequest() {
    caller = Optional.of("other");
    String reason = refusal("POST contradicted").reason();
    assertThat(recorded)
        .containsExactly(
            new PeerRefusals.Refusal(
                PeerRefusals.Cause.FORBIDDEN, "127.0.0.1", "POST", "/_internal/x", 403, reason));
  }

  @Test
  void aPrimaryThatThisNodeDoesNotKnowYetIsWaitedFor() throws Exception {
    log.end = PROMOTED;
    caller = Optional.of("r");
    call("POST contradicted");
    assertThat(carriedOut).hasSize(1);
    assertThat(recorded).isEmpty();
  }

  /** Its call was under way while another one was promoted. */
  @Test
  void aPrimaryThatHasJustLostItsTermIsRefusedAsLateAndNotAsAStranger() {
    log.end = PROMOTED;
    caller = Optional.of("other");
    assertThat(refusal("POST merged").status()).isEqualTo(403);
    caller = Optional.of("p");
    for (String request : List.of("POST contradicted", "POST merged", "DELETE merged")) {
      recorded.clear();
      ErrorBody error = refusal(request);
      assertThat(error.status()).isEqualTo(409);
      assertThat(error.reason()).startsWith("stale primary term: ");
      assertThat(recorded)
          .extracting(PeerRefusals.Refusal::cause)
          .containsExactly(PeerRefusals.Cause.STALE_PRIMARY_TERM);
    }
    caller = Optional.of("other");
    recorded.clear();
    assertThat(refusal("POST merged").status()).isEqualTo(403);
    assertThat(recorded)
        .extracting(PeerRefusals.Refusal::cause)
        .containsExactly(PeerRefusals.Cause.FORBIDDEN);
  }

  @Test
  void whileTheStateCannotBeKnownTheCallerMayTryAgainAndNothingIsRecorded() {
    caller = Optional.of("r");
    log.end = null;
    assertThat(refusal("POST contradicted").status()).isEqualTo(503);
    log.failure = new LogException.Unavailable("no broker");
    assertThat(refusal("POST contradicted"))
        .satisfies(error -> {
          assertThat(error.status()).isEqualTo(503);
          assertThat(error.reason()).contains("no broker");
        });
    assertThat(recorded).isEmpty();
  }

  @Test
  void readsAreNotChecked() throws Exception {
    caller = Optional.of("other");
    for (String read : List.of("POST holds", "POST digest", "GET files", "GET snapshots")) {
      call(read);
    }
    assertThat(carriedOut).hasSize(4);
  }

  @Test
  void withoutTheCertificateOfADataNodeNothingIsChecked() throws Exception {
    caller = Optional.empty();
    call("POST contradicted");
    call("POST admit");
    assertThat(carriedOut).hasSize(2);
  }
}
