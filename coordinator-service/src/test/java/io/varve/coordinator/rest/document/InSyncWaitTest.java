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
    wait.shows(primary);
    assertThat(wait.isOver(both)).isFalse();
    assertThat(wait.open(both)).containsExactly(replica);
    wait.shows(replica);
    assertThat(wait.isOver(both)).isTrue();
    assertThat(wait.notShown(both)).isEmpty();
  }

  @Test
  void aCopyThatFailedCountsNoMore() {
    wait.shows(primary);
    wait.showsNot(replica, LATE);
    assertThat(wait.isOver(List.of(primary))).isTrue();
    assertThat(wait.notShown(List.of(primary))).isEmpty();
  }

  @Test
  void aCopyThatIsStartedMeanwhileCounts() {
    wait.shows(primary);
    assertThat(wait.isOver(List.of(primary, replica))).isFalse();
  }

  @Test
  void withoutAPrimaryItIsNotOver() {
    wait.shows(replica);
    assertThat(wait.isOver(List.of(replica))).isFalse();
    assertThat(wait.isOver(List.of())).isFalse();
  }

  @Test
  void aPromotedReplicaHasShownWhatItShowed() {
    wait.shows(replica);
    assertThat(wait.isOver(List.of(copy("r", true)))).isTrue();
  }

  @Test
  void saysWhyItIsNotOver() {
    wait.shows(primary);
    wait.showsNot(replica, LATE);
    List<CopyAddress> both = List.of(primary, replica);
    assertThat(wait.notShown(both)).containsExactly(new Visibility.NotShown(replica, LATE));
    assertThat(wait.showing(both)).isEqualTo(1);
  }
}
