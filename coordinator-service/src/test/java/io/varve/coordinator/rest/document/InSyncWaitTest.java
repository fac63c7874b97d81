package io.varve.coordinator.rest.document;

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

  private final InSyncWait wait = new InSyncWait();
  private final CopyAddress primary = copy("p", true);
  private final CopyAddress replica = copy("r", false);

  private static CopyAddress copy(String id, boolean primary) {
    return new CopyAddress(
        new ShardId("u", 0),
        new CopyRouting(id, primary, CopyRouting.State.STARTED, "n", ""),
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
    assertThat(wait.isDone(both)).isTrue();
    assertThat(wait.notShown(both)).isEmpty();
  }

  @Test
  void aCopyThatFailedCountsNoMore() {
    wait.markVisible(primary);
    wait.markNotVisible(replica, LATE);
    assertThat(wait.isDone(List.of(primary))).isTrue();
    assertThat(wait.notShown(List.of(primary))).isEmpty();
  }

  @Test
  void aCopyThatIsStartedMeanwhileCounts() {
    wait.markVisible(primary);
    assertThat(wait.isDone(List.of(primary, replica))).isFalse();
  }

  @Test
  void withoutAPrimaryItIsNotOver() {
    wait.markVisible(replica);
    assertThat(wait.isDone(List.of(replica))).isFalse();
    assertThat(wait.isDone(List.of())).isFalse();
  }

  @Test
  void aPromotedReplicaHasShownWhatItShowed() {
    wait.markVisible(replica);
    assertThat(wait.isDone(List.of(copy("r", true)))).isTrue();
  }

  @Test
  void saysWhyItIsNotOver() {
    wait.markVisible(primary);
    wait.markNotVisible(replica, LATE);
    List<CopyAddress> both = List.of(primary, replica);
    assertThat(wait.notShown(both)).containsExactly(new Visibility.NotShown(replica, LATE));
    assertThat(wait.showing(both)).isEqualTo(1);
  }
}
