package io.varve.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.client.CallTerms;
import io.varve.client.Cancellation;
import io.varve.client.CopyAddress;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.selection.Purpose;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The only attempt at a shard runs on the caller's thread and ends with its search. */
class SoleTrialTest {

  private static final String NODE = FakeCluster.PRIMARY_NODE;

  private final RestHarness rest = new RestHarness();
  private final Task task = new Task();
  private CopyTrials trials;
  private CopyTrials.Search search;
  private CopyAddress copy;

  private static final class Task implements Cancellation {

    private Runnable listener = () -> {};
    private boolean cancelled;

    @Override
    public void onCancel(Runnable added) {
      listener = added;
    }

    @Override
    public void check() {
      if (cancelled) {
        throw new ApiException(ErrorBody.of(400, "task_cancelled_exception", "by the test"));
      }
    }

    void cancel() {
      cancelled = true;
      listener.run();
    }
  }

  @BeforeEach
  void oneShard() throws InterruptedException {
    rest.cluster.index("a", 1);
    ClusterState state = rest.cluster.state();
    trials = rest.part(CopyTrials.class);
    search = trials.search(state, 1, _ -> false, new CopyTrials.Plan("kind", false, null, task));
    copy = CopyAddress.started(state, state.indices().get("a").shards().getFirst()).getFirst();
    search.permits().take(NODE);
  }

  @AfterEach
  void close() {
    rest.close();
  }

  private String run(ShardTrials.Question<String> question) throws InterruptedException {
    return new SoleTrial<String>(
            trials, search, new CopyTrial<>(trials, search, copy, Purpose.FIRST, true))
        .run(CallTerms.NONE, question);
  }

  private void assertNothingIsHeld() {
    assertThat(search.permits().isFree(NODE)).isTrue();
    assertThat(trials.guards().underWay()).isZero();
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void theCallersThreadAsks() throws InterruptedException {
    Thread caller = Thread.currentThread();

    assertThat(run((_, _) -> Thread.currentThread().toString())).isEqualTo(caller.toString());

    assertNothingIsHeld();
  }

  @Test
  void aCancellationEndsTheWaitWithItsReason() {
    CountDownLatch never = new CountDownLatch(1);

    assertThatThrownBy(() ->
            run((_, _) -> {
              task.cancel();
              never.await();
              return "never";
            }))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("by the test");

    assertNothingIsHeld();
  }

  @Test
  void aCancellationBeforeTheAttemptSendsNothing() {
    task.cancel();

    assertThatThrownBy(() -> run((_, _) -> "sent"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("by the test");

    assertNothingIsHeld();
  }

  @Test
  void anAnswerThatArrivesDuringTheCancellationCountsAndTheInterruptIsCleared()
      throws InterruptedException {
    String answer =
        run((_, _) -> {
          task.cancel();
          return "answer";
        });

    assertThat(answer).isEqualTo("answer");
    assertNothingIsHeld();
  }

  @Test
  void aCancellationAfterTheAttemptDoesNotInterruptTheThread() throws InterruptedException {
    run((_, _) -> "answer");

    task.cancel();

    assertNothingIsHeld();
  }

  @Test
  void anInterruptByOthersIsPassedOn() {
    assertThatThrownBy(() ->
            run((_, _) -> {
              throw new InterruptedException("shutdown");
            }))
        .isInstanceOf(InterruptedException.class);

    assertNothingIsHeld();
  }
}
