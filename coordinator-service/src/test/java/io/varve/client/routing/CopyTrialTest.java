package io.varve.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.NodeHttp;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.selection.Failure;
import io.varve.selection.Purpose;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every outcome of an attempt releases its resources exactly once. */
class CopyTrialTest {

  private static final String NODE = FakeCluster.PRIMARY_NODE;

  private final RestHarness rest = new RestHarness();
  private final AtomicInteger asked = new AtomicInteger();
  private CopyTrials trials;
  private CopyTrials.Search search;
  private CopyAddress copy;

  @BeforeEach
  void oneShard() throws InterruptedException {
    // A node that answers probes is slow and does not hang.
    rest.cluster.setting(ClusterSettings.SELECTION_PROBES, "0");
    rest.cluster.index("a", 1);
    ClusterState state = rest.cluster.state();
    trials = rest.part(CopyTrials.class);
    search = trials.search(state, 1, _ -> false, CopyTrials.Plan.alone("kind"));
    copy = CopyAddress.started(state, state.indices().get("a").shards().getFirst()).getFirst();
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private CopyTrial<String> seated(Purpose purpose) throws InterruptedException {
    search.permits().take(NODE);
    return new CopyTrial<>(trials, search, copy, purpose, true);
  }

  private void assertNothingIsHeld() {
    assertThat(search.permits().isFree(NODE)).isTrue();
    assertThat(trials.guards().underWay()).isZero();
    assertThat(rest.selection().statistics().values())
        .allSatisfy(node -> assertThat(node.outgoingSearches()).isZero());
  }

  @Test
  void whatIsGivenUpBeforeItWasSentIsNotSent() throws InterruptedException {
    CopyTrial<String> hedge = seated(Purpose.HEDGE);
    hedge.giveUp(Failure.LOST);
    assertThat(search.permits().isFree(NODE)).isTrue();

    assertThatThrownBy(() -> hedge.run(CallTerms.NONE, (_, _) -> "" + asked.incrementAndGet()))
        .isInstanceOf(CancellationException.class);

    assertThat(asked).hasValue(0);
    assertThat(hedge.wasSent()).isFalse();
    assertThat(rest.selection().statistics()).isEmpty();
    assertNothingIsHeld();
  }

  @ParameterizedTest
  @EnumSource(Failure.class)
  void whatIsGivenUpOnItsWayLeavesItsSeatAtOnceAndEverythingInTheEnd(Failure reason)
      throws InterruptedException {
    CopyTrial<String> trial = seated(Purpose.FIRST);

    String answer =
        trial.run(
            CallTerms.NONE,
            (_, _) -> {
              trial.giveUp(reason);
              assertThat(search.permits().isFree(NODE)).isTrue();
              assertThat(trials.guards().underWay()).isEqualTo(1);
              return "late";
            });

    assertThat(answer).isEqualTo("late");
    assertNothingIsHeld();
  }

  @Test
  void nodesThatNeverAnswerInTimeOpenTheirBreaker() throws InterruptedException {
    for (int i = 0; i < 10; i++) {
      CopyTrial<String> trial = seated(Purpose.FIRST);
      assertThatThrownBy(() ->
              trial.run(
                  CallTerms.NONE,
                  (_, _) -> {
                    trial.giveUp(Failure.TIMED_OUT);
                    throw new InterruptedException("its search is over");
                  }))
          .isInstanceOf(InterruptedException.class);
    }

    assertThat(trials.guards().state(NODE)).isEqualTo("open");
    assertNothingIsHeld();
  }

  @Test
  void aDefectOfTheQuestionIsAFailureOfTheNodeAndHoldsNothing() throws InterruptedException {
    CopyTrial<String> trial = seated(Purpose.FIRST);

    assertThatThrownBy(() ->
            trial.run(
                CallTerms.NONE,
                (_, _) -> {
                  throw new StackOverflowError();
                }))
        .isInstanceOf(StackOverflowError.class);

    assertNothingIsHeld();
  }

  @Test
  void aSeatIsWaitedForNoLongerThanTheSearchHas() throws InterruptedException {
    search.permits().take(NODE);

    assertThat(search.permits().take(NODE, 1)).isFalse();

    search.permits().leave(NODE);
    assertThat(search.permits().take(NODE, 1)).isTrue();
  }

  @Test
  void whoCouldNotConnectInTimeGaveTheNodeNoWork() {
    assertThat(Failures.of(unreachable(new NodeHttp.NotConnectedException(new IOException("no")))))
        .isEqualTo(Failure.UNREACHABLE);
    assertThat(
            Failures.of(
                unreachable(
                    new NodeHttp.LateException(Duration.ofSeconds(1), new IOException("late")))))
        .isEqualTo(Failure.TIMED_OUT);
  }

  private static UnreachableException unreachable(Exception cause) {
    return new UnreachableException("gone", cause);
  }
}
