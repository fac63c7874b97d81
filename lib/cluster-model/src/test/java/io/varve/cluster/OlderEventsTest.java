package io.varve.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import org.junit.jupiter.api.Test;

/** Events that earlier releases wrote can still be read. */
class OlderEventsTest {

  @Test
  void anIndexFromBeforeThereWereSearchCopiesAndRelocations() {
    String record =
        """
        {"event":"index_created","index":{"name":"books","uuid":"u1","created_millis":5,
         "settings":{"index.number_of_replicas":"1"},"settings_version":1,"mapping":"{}","mapping_version":1,
         "shards":[{"shard":{"index_uuid":"u1","number":0},"primary_term":0,"copies":[
           {"copy_id":"c1","primary":true,"state":"UNASSIGNED","node_id":null,"reason":"INDEX_CREATED"},
           {"copy_id":"c2","primary":false,"state":"UNASSIGNED","node_id":null,"reason":"INDEX_CREATED"}]}],
         "access":{"aliases":{},"aliases_version":1,"closed":false}}}\
        """;

    ClusterEvent event = Json.read(record.getBytes(UTF_8), ClusterEvent.class);

    assertThat(event)
        .isInstanceOfSatisfying(
            ClusterEvent.IndexCreated.class,
            created -> {
              ShardRouting shard = created.index().shard(0);
              assertThat(shard.relocations()).isEmpty();
              assertThat(shard.neverStarted()).isFalse();
              assertThat(shard.copies()).hasSize(2).noneMatch(CopyRouting::searchOnly);
            });
  }

  @Test
  void aRecordWithoutItsTermIsMalformedAndNotOfTermZero() {
    String record =
        """
        {"event":"primary_assigned","shard":{"index_uuid":"u1","number":0},"copy_id":"c1","node_id":"n"}\
        """;

    assertThatThrownBy(() -> Json.read(record.getBytes(UTF_8), ClusterEvent.class))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void aNodeWithoutAttributes() {
    String record =
        """
        {"event":"node_joined","node":{"node_id":"n","name":"n","incarnation":"i","roles":["primary"],"url":"http://x"}}\
        """;

    assertThat(Json.read(record.getBytes(UTF_8), ClusterEvent.class))
        .isInstanceOfSatisfying(
            ClusterEvent.NodeJoined.class,
            joined -> assertThat(joined.node().attributes()).isEmpty());
  }
}
