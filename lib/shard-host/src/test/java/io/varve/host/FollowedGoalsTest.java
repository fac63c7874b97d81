package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Goals that follow each state are those of a node that sees only the last one. */
class FollowedGoalsTest {

  private static final String HERE = "node-0";
  private static final int INDICES = 12;
  private static final int SHARDS = 3;

  private final List<String> uuids = new ArrayList<>();

  private IndexMetadata index(Random random, int number) {
    String uuid = "uuid-" + uuids.size();
    uuids.add(uuid);
    List<ShardRouting> shards = new ArrayList<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.add(
          new ShardRouting(
              new ShardId(uuid, shard),
              1 + random.nextInt(3),
              List.of(copy(random, uuid + shard, true), copy(random, uuid + shard, false))));
    }
    return new IndexMetadata("index-" + number, uuid, 0, Map.of(), 1, "{}", 1, null, shards);
  }

  private static CopyRouting copy(Random random, String id, boolean primary) {
    return new CopyRouting(
        id + (primary ? "-p" : "-r"),
        primary,
        CopyRouting.State.STARTED,
        "node-" + (primary ? random.nextInt(2) : 2 - 2 * random.nextInt(2)),
        "");
  }

  private ClusterEvent anyEvent(Random random, int step) {
    String uuid = uuids.get(random.nextInt(uuids.size()));
    ShardId shard = new ShardId(uuid, random.nextInt(SHARDS));
    String replica = uuid + shard.number() + "-r";
    return switch (random.nextInt(8)) {
      case 0 -> new ClusterEvent.IndexCreated(index(random, random.nextInt(INDICES)));
      case 1 -> new ClusterEvent.IndexDeleted(uuid);
      case 2 -> new ClusterEvent.IndexClosed(uuid);
      case 3 -> new ClusterEvent.IndexOpened(uuid);
      case 4 -> new ClusterEvent.CopyUnassigned(shard, replica, "NODE_LEFT");
      case 5 -> new ClusterEvent.ReplicaAssigned(shard, replica, replica, HERE);
      case 6 -> new ClusterEvent.RelocationStarted(shard, replica, "target-" + step, HERE);
      default -> new ClusterEvent.MappingChanged(uuid, step, "{}");
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void theyAreThoseOfTheNewestStateAlone(long seed) {
    Random random = new Random(seed);
    ClusterState state = ClusterState.EMPTY;
    for (int number = 0; number < INDICES; number++) {
      state = state.apply(new ClusterEvent.IndexCreated(index(random, number)));
    }
    FollowedGoals followed = new FollowedGoals(HERE);
    ClusterState joined = state;
    followed.join(joined);
    for (int step = 0; step < 300; step++) {
      state = state.apply(anyEvent(random, step));
      followed.follow(state);
      if (step % 10 == 0) {
        FollowedGoals fresh = new FollowedGoals(HERE);
        fresh.join(joined);
        fresh.follow(state);
        assertThat(followed.wanted()).as("step %d", step).isEqualTo(fresh.wanted());
        assertThat(followed.closedHere()).as("step %d", step).isEqualTo(fresh.closedHere());
      }
    }
    assertThat(followed.wanted()).isNotEmpty();
  }
}
