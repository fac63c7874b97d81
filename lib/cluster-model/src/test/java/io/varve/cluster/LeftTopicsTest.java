package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Topics of a deleted index that the leader did not delete, because it stopped after the event. */
class LeftTopicsTest {

  private final Topics topics = new Topics("ours", 1);

  private static StoredRecord event(long offset, long seqNo, ClusterEvent event) {
    byte[] key = event.entity().getBytes(StandardCharsets.UTF_8);
    return new StoredRecord(offset, 0, RecordHeader.data(1, seqNo, key, Json.write(event)));
  }

  @Test
  void onlyIndicesWhoseDeletionIsInTheLogAreDeleted() {
    ClusterFold fold = new ClusterFold();
    fold.add(new StoredRecord(0, 0, RecordHeader.fence(1, "a")));
    fold.add(event(1, 0, new ClusterEvent.IndexCreated(Clusters.index("kept", 1, 0))));
    fold.add(event(2, 1, new ClusterEvent.IndexCreated(Clusters.index("gone", 1, 0))));
    fold.add(event(3, 2, new ClusterEvent.IndexCreated(Clusters.index("gone-too", 1, 0))));
    ClusterEvent both =
        ClusterEvent.together(
            List.of(
                new ClusterEvent.IndexDeleted("gone-uuid"),
                new ClusterEvent.IndexDeleted("gone-too-uuid")));
    fold.add(event(4, 3, both));
    assertThat(fold.deletedIndices()).containsExactlyInAnyOrder("gone-uuid", "gone-too-uuid");
    assertThat(fold.state().indices()).containsOnlyKeys("kept");
    assertThat(fold.state().version()).isEqualTo(4);
  }

  @Test
  void onlyTopicsOfThisClusterAndOfThoseIndicesAreLeft() {
    Set<String> present =
        Set.of(
            topics.operations("gone"),
            topics.operations("kept"),
            new Topics("theirs", 1).operations("gone"),
            "varve.ours.other.gone",
            topics.clusterLog());
    assertThat(topics.left(present, List.of("gone", "long-gone")))
        .containsExactly(topics.operations("gone"));
  }
}
