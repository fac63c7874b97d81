package io.varve.control.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what a follower index copies from its leader index, and which indices can be followed. */
class FollowerIndexTest {

  private static final FollowRelation FOLLOW =
      new FollowRelation("eu", "books", "books-uuid", null, 4, null, true);

  private static IndexMetadata index(
      String name, int shards, CopyRouting.State state, boolean closed, String... settings) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    boolean assigned = state != CopyRouting.State.UNASSIGNED;
    List<ShardRouting> routing =
        IntStream.range(0, shards)
            .mapToObj(number ->
                new ShardRouting(
                    new ShardId(name + "-uuid", number),
                    1,
                    List.of(
                        new CopyRouting("c" + number, true, state, assigned ? "n1" : null, ""))))
            .toList();
    return new IndexMetadata(
        name,
        name + "-uuid",
        0,
        all,
        1,
        "{\"properties\":{}}",
        1,
        null,
        routing,
        new IndexMetadata.Access(Map.of("library", AliasMetadata.PLAIN), 1, closed));
  }

  private static IndexMetadata leader(String... settings) {
    return index("books", 2, CopyRouting.State.STARTED, false, settings);
  }

  private static Map<String, @Nullable String> requested(String name, @Nullable String value) {
    Map<String, @Nullable String> settings = new TreeMap<>();
    settings.put(name, value);
    return settings;
  }

  @Test
  void takesTheReplicatedSettingsOfItsLeaderAndSettingsOfItsOwn() {
    IndexMetadata leader =
        leader(
            "index.uuid", "books-uuid",
            "index.creation_date", "5",
            "index.version.created", "1",
            "index.blocks.write", "true",
            "index.codec", "zstd",
            "index.hidden", "true",
            "index.number_of_replicas", "3",
            "index.refresh_interval", "5s",
            "index.replication.type", "DOCUMENT",
            "index.write.wait_for_active_shards", "2",
            "index.search.slowlog.threshold.query.warn", "1s",
            "index.analysis.analyzer.mine.tokenizer", "standard",
            "index.mapping.ignore_malformed", "true",
            "index.mapping.total_fields.limit", "2000",
            "index.max_ngram_diff", "3",
            "index.number_of_routing_shards", "8",
            "index.sort.field", "year");

    assertThat(
            FollowerIndex.create(
                "copy", "eu", "eu-uuid", leader, requested("index.number_of_replicas", "1"), null))
        .isEqualTo(
            new ClusterCommand.CreateIndex(
                "copy",
                Map.of(
                    "index.number_of_shards", "2",
                    "index.number_of_replicas", "1",
                    "index.analysis.analyzer.mine.tokenizer", "standard",
                    "index.mapping.ignore_malformed", "true",
                    "index.mapping.total_fields.limit", "2000",
                    "index.max_ngram_diff", "3",
                    "index.number_of_routing_shards", "8",
                    "index.sort.field", "year"),
                "{\"properties\":{}}",
                new ClusterCommand.Follow(
                    "eu",
                    "books",
                    "books-uuid",
                    null,
                    List.of(new FollowOrigin("eu-uuid", "books-uuid")))));
  }

  @Test
  void replicatedSettingsCannotBeOverridden() {
    assertThat(FollowerIndex.refusedSettings(Map.of("index.number_of_replicas", "2"))).isEmpty();
    assertThat(FollowerIndex.refusedSettings(requested("index.number_of_shards", "3")))
        .hasValue(
            ErrorBody.illegalArgument(
                "can not put follower index that could override leader settings"
                    + " {\"index.number_of_shards\":\"3\"}"));
    assertThat(FollowerIndex.refusedSettings(requested("index.mapping.coerce", null))).isPresent();
  }

  @Test
  void unknownSettingsAreNamed() {
    assertThat(FollowerIndex.refusedSettings(requested("index.what", "3")))
        .hasValue(ErrorBody.illegalArgument("unknown setting [index.what]"));
    assertThat(FollowerIndex.refusedSettings(Map.of("index.a", "1", "index.b", "2")))
        .hasValue(ErrorBody.illegalArgument("unknown settings [index.a,index.b]"));
  }

  @Test
  void aClosedLeaderIsNotFollowed() {
    ErrorBody refused =
        FollowerIndex.refusedLeader(index("books", 1, CopyRouting.State.STARTED, true))
            .orElseThrow();

    assertThat(refused.type()).isEqualTo("index_closed_exception");
    assertThat(refused.status()).isEqualTo(400);
  }

  @Test
  void aRedLeaderIsNotFollowed() {
    assertThat(FollowerIndex.refusedLeader(leader())).isEmpty();
    assertThat(
            FollowerIndex.refusedLeader(index("books", 1, CopyRouting.State.INITIALIZING, false)))
        .hasValue(ErrorBody.illegalArgument("no index stats available for the leader index"));
  }

  private static String refusal(IndexMetadata follower, IndexMetadata leader) {
    return FollowerIndex.refusalToResume(follower, FOLLOW, leader)
        .map(ErrorBody::reason)
        .orElse("");
  }

  @Test
  void pullsAgainOnlyFromTheIndexThatItFollowed() {
    IndexMetadata follower = index("copy", 2, CopyRouting.State.STARTED, false);

    assertThat(refusal(follower, leader())).isEmpty();
    assertThat(refusal(follower, index("other", 2, CopyRouting.State.STARTED, false)))
        .isEqualTo(
            "follow index [copy] should reference [other-uuid] as leader index but instead"
                + " reference [books-uuid] as leader index");
    assertThat(refusal(follower, index("books", 3, CopyRouting.State.STARTED, false)))
        .isEqualTo(
            "leader index primary shards [3] does not match with the number of shards of the"
                + " follow index [2]");
    assertThat(refusal(follower, leader("index.number_of_routing_shards", "8")))
        .isEqualTo(
            "leader index number_of_routing_shards [8] does not match with the"
                + " number_of_routing_shards of the follow index [null]");
    assertThat(refusal(follower, index("books", 2, CopyRouting.State.STARTED, true)))
        .isEqualTo("leader and follow index must be open");
  }
}
