package io.varve.client.consistency;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.client.CopyAddress;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InSyncWaitTest {

  private static final ErrorBody LATE = ErrorBody.of(504, "late", "not yet");
  private static final ErrorBody CUT_OFF =
      ErrorBody.of(503, "connect_transport_exception", "no route");
  private static final ErrorBody NOT_STARTED =
      ErrorBody.of(503, "no_shard_available_action_exception", "COPYING");

  private final InSyncWait wait = new InSyncWait();
  private final CopyAddress primary = copy("p", true);
  private final CopyAddress replica = copy("r", false);
  private final CopyAddress starting = copy("r", false, CopyRouting.State.INITIALIZING);

  private static CopyAddress copy(String id, boolean primary) {
    return copy(id, primary, CopyRouting.State.STARTED);
  }

  private static CopyAddress copy(String id, boolean primary, CopyRouting.State state) {
    return new CopyAddress(
        new ShardId("u", 0),
        new CopyRouting(id, primary, state, "n", ""),
        new NodeInfo("n", "n", "i", Set.of(NodeInfo.PRIMARY), "http://127.0.0.1:1"));
  }

  @Test
  void isOverWhenAllThatAreInSyncShowIt() {
    List<CopyAddress> both = List.of(primary, replica);
    assertThat(wait.open(both)).containsExactly(primary, replica);
    wait.markVisible(primary);
    assertThat(wait.isDone(both)).isFalse();
    assertThat(wait.open(both)).containsExactly(replica);
    wait.markVisible(replica);
    wait.markCurrent();
    assertThat(wait.isDone(both)).isTrue();
    assertThat(wait.notShown(both)).isEmpty();
  }

  @Test
  void isNotOverInAStateThatMayLackACopy() {
    wait.markCurrent();
    assertThat(wait.needsCurrentState()).as("nothing is published").isFalse();
    wait.markVisible(primary);

    assertThat(wait.needsCurrentState()).isTrue();
    assertThat(wait.isDone(List.of(primary))).isFalse();
    assertThat(wait.notShown(List.of(primary)))
        .singleElement()
        .satisfies(notShown ->
            assertThat(notShown.error().reason()).contains("whether the shard has other copies"));
    wait.markCurrent();
    assertThat(wait.needsCurrentState()).isFalse();
    assertThat(wait.isDone(List.of(primary))).isTrue();
    assertThat(wait.notShown(List.of(primary))).isEmpty();
  }

  @Test
  void forKnownCopiesNoCurrentStateIsNeeded() {
    InSyncWait known = InSyncWait.ofKnownCopies();
    known.markVisible(primary);

    assertThat(known.needsCurrentState()).isFalse();
    assertThat(known.isDone(List.of(primary))).isTrue();
  }

  @Test
  void aCopyThatTheCurrentStateAddsIsAsked() {
    wait.markVisible(primary);
    wait.markCurrent();

    assertThat(wait.isDone(List.of(primary, starting))).isFalse();
    assertThat(wait.open(List.of(primary, starting))).containsExactly(starting);
  }

  @Test
  void aCopyThatFailedCountsNoMore() {
    wait.markVisible(primary);
    wait.markNotVisible(replica, LATE);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(primary))).isTrue();
    assertThat(wait.notShown(List.of(primary))).isEmpty();
  }

  @Test
  void aCopyThatIsStartedMeanwhileCounts() {
    wait.markVisible(primary);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(primary, replica))).isFalse();
  }

  @Test
  void withoutAPrimaryItIsNotOver() {
    wait.markVisible(replica);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(replica))).isFalse();
    assertThat(wait.isDone(List.of())).isFalse();
  }

  @Test
  void aPromotedReplicaHasShownWhatItShowed() {
    wait.markVisible(replica);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(copy("r", true)))).isTrue();
  }

  @Test
  void saysWhyItIsNotOver() {
    wait.markVisible(primary);
    wait.markNotVisible(replica, LATE);
    List<CopyAddress> both = List.of(primary, replica);
    assertThat(wait.notShown(both)).containsExactly(new InSyncWait.NotShown(replica, LATE));
    assertThat(wait.showing(both)).isEqualTo(1);
  }

  @Test
  void aCopyThatIsNotStartedIsAskedOnceTheWriteIsPublished() {
    List<CopyAddress> both = List.of(primary, starting);
    assertThat(wait.open(both)).containsExactly(primary);
    wait.markVisible(primary);
    assertThat(wait.isPublished()).isTrue();
    wait.markCurrent();
    assertThat(wait.isDone(both)).isFalse();
    assertThat(wait.open(both)).containsExactly(starting);
  }

  @Test
  void aCopyWhoseStartMayBeUnderWayCounts() {
    List<CopyAddress> both = List.of(primary, starting);
    for (ErrorBody answer : List.of(LATE, CUT_OFF)) {
      wait.markVisible(primary);
      wait.markNotVisible(starting, answer);
      wait.markCurrent();
      assertThat(wait.isDone(both)).as("%s", answer).isFalse();
      assertThat(wait.notShown(both)).containsExactly(new InSyncWait.NotShown(starting, answer));
    }
    wait.markVisible(starting);
    assertThat(wait.isDone(both)).isTrue();
  }

  @Test
  void aCopyThatStartsLaterCountsFromItsStartOn() {
    wait.markVisible(primary);
    wait.markNotVisible(starting, NOT_STARTED);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(primary, starting))).isTrue();
    assertThat(wait.open(List.of(primary, starting))).isEmpty();
    assertThat(wait.notShown(List.of(primary, starting))).isEmpty();

    assertThat(wait.isDone(List.of(primary, replica))).isFalse();
    assertThat(wait.open(List.of(primary, replica))).containsExactly(replica);
  }

  @Test
  void aStartedCopyThatDoesNotServeCountsWhenItIsStartedAnew() {
    wait.markNotVisible(replica, NOT_STARTED);
    wait.markVisible(primary);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(primary, replica))).isFalse();
    assertThat(wait.open(List.of(primary, starting))).containsExactly(starting);
  }

  @Test
  void aPrimaryThatIsNotStartedDoesNotEndIt() {
    CopyAddress opening = copy("p", true, CopyRouting.State.INITIALIZING);
    wait.markVisible(replica);
    wait.markVisible(opening);
    wait.markCurrent();
    assertThat(wait.isDone(List.of(opening, replica))).isFalse();
  }
}
