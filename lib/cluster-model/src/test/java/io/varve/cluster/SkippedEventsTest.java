package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reading the cluster log of another cluster whose release is newer. */
class SkippedEventsTest {

  private final InMemoryMessageLog messages = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final PartitionLog log = messages.open("cluster", 0);
  private final SkippedEvents skipped = new SkippedEvents();
  private final List<String> losses = new ArrayList<>();
  private final ClusterView view = ClusterView.ofOtherCluster(log, skipped, losses::add);
  private long seqNo;

  @BeforeEach
  void begin() throws Exception {
    var _ = Appends.await(log, RecordHeader.fence(1, "a"));
    append(new ClusterEvent.ClusterFormed("test", "uuid"));
    append(new ClusterEvent.IndexCreated(index("books")));
    append(new ClusterEvent.IndexCreated(index("films")));
    view.start();
  }

  private static IndexMetadata index(String name) {
    ShardId shard = new ShardId(name + "-uuid", 0);
    return new IndexMetadata(
        name,
        name + "-uuid",
        0,
        Map.of(),
        1,
        "{}",
        1,
        null,
        List.of(
            new ShardRouting(
                shard, 0, List.of(CopyRouting.unassigned("p", true, "INDEX_CREATED")))));
  }

  private void append(ClusterEvent event) throws Exception {
    append(event.entity(), new String(Json.write(event), StandardCharsets.UTF_8));
  }

  private void append(String key, String json) throws Exception {
    var _ =
        Appends.await(
            log,
            RecordHeader.data(
                1,
                seqNo++,
                key.getBytes(StandardCharsets.UTF_8),
                json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void anUnknownEventIsSkippedAndTheEventsAfterItApply() throws Exception {
    append("cluster", "{\"event\":\"of_a_newer_release\",\"value\":1}");
    append(new ClusterEvent.IndexSettingsChanged("films-uuid", 2, Map.of("index.a", "1")));

    assertThat(losses).isEmpty();
    assertThat(view.current().version()).isEqualTo(5);
    assertThat(view.current().indices().get("films").settings()).containsEntry("index.a", "1");
    assertThat(skipped.reasons()).isEmpty();
  }

  @Test
  void theIndexThatItNamesIsRecordedWithTheReason() throws Exception {
    append("books-uuid", "{\"event\":\"merged_into\",\"value\":1}");

    assertThat(skipped.reasons()).containsOnlyKeys("books-uuid");
    assertThat(skipped.reasons().get("books-uuid"))
        .isEqualTo(
            "this release can't read the event [merged_into] at offset 4 of the leader's cluster"
                + " log: upgrade this cluster, then resume");
  }

  @Test
  void anIndexIsNamedByItsUuidAnywhereOrByItsNameInAFieldForNames() throws Exception {
    append("several", "{\"event\":\"x\",\"changes\":{\"books-uuid\":{\"a\":1}}}");
    assertThat(skipped.reasons()).containsOnlyKeys("books-uuid");
    append("several", "{\"event\":\"x\",\"reason\":\"films\"}");
    assertThat(skipped.reasons()).containsOnlyKeys("books-uuid");

    append("several", "{\"event\":\"x\",\"indices\":[\"films\"]}");

    assertThat(skipped.reasons()).containsOnlyKeys("books-uuid", "films-uuid");
  }

  @Test
  void theFirstReasonStays() throws Exception {
    append("books-uuid", "{\"event\":\"first\"}");
    append("books-uuid", "{\"event\":\"second\"}");

    assertThat(skipped.reasons().get("books-uuid")).contains("[first]");
  }

  @Test
  void ofSeveralEventsThatTakeEffectTogetherOnlyTheUnknownOneIsSkipped() throws Exception {
    append(
        "several",
        """
        {"event":"together","events":[
          {"event":"of_a_newer_release","index_uuid":"films-uuid"},
          {"event":"mapping_changed","index_uuid":"books-uuid","mapping_version":2,"mapping":"{}"}]}
        """);

    assertThat(view.current().indices().get("books").mappingVersion()).isEqualTo(2);
    assertThat(view.current().version()).isEqualTo(4);
    assertThat(skipped.reasons()).containsOnlyKeys("films-uuid");
  }

  @Test
  void anEventOfAKnownKindWithOtherFieldsIsSkipped() throws Exception {
    append("books-uuid", "{\"event\":\"mapping_changed\",\"index_uuid\":\"books-uuid\"}");

    assertThat(losses).isEmpty();
    assertThat(skipped.reasons()).containsOnlyKeys("books-uuid");
  }

  @Test
  void aSnapshotOfANewerReleaseIsTheReasonForWhichTheLogCannotBeRead() throws Exception {
    append(new ClusterEvent.SnapshotPart(0, 1, "{\"format\":9}"));
    log.truncateBefore(log.endOffset() - 1);
    assertThat(skipped.unreadableLog()).isEmpty();

    ClusterView.ofOtherCluster(log, skipped, losses::add).start();

    assertThat(losses).hasSize(1);
    assertThat(skipped.unreadableLog().orElseThrow())
        .contains("offset 4")
        .contains("upgrade this cluster, then resume");
  }

  @Test
  void anyFeatureLevelIsRead() throws Exception {
    append(new ClusterEvent.FeatureLevelRaised(99));

    assertThat(losses).isEmpty();
    assertThat(view.current().featureLevel()).isEqualTo(99);
  }

  @Test
  void theOwnClustersLogEndsAtAnUnknownEvent() throws Exception {
    ClusterView own = new ClusterView(log, losses::add);
    own.start();
    append("cluster", "{\"event\":\"of_a_newer_release\"}");

    assertThat(losses).singleElement().asString().contains("record 4 can't be read");
  }

  @Test
  void aRecordThatIsNoJsonEndsTheReading() throws Exception {
    append("cluster", "no json");

    assertThat(losses).singleElement().asString().contains("record 4 can't be read");
  }
}
