package io.varve.cluster;

import io.varve.events.FeatureLevels;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Draws events of all kinds that may follow a state: their names, shards and copies are those of
 * the state or new ones. Some events change nothing, as in production.
 */
final class RandomEvents {

  private final Random random;
  private int ids;

  RandomEvents(long seed) {
    random = new Random(seed);
  }

  /** An event that can be applied; snapshots are written by the test itself. */
  ClusterEvent next(ClusterState state) {
    ClusterEvent event;
    do {
      event = any(state);
    } while (!isFromALeader(state, event));
    return event;
  }

  /** Whether a leader would append the event to this state. */
  private static boolean isFromALeader(ClusterState state, ClusterEvent event) {
    try {
      return state.apply(event).version() == state.version() + 1;
    } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
      return false;
    }
  }

  private ClusterEvent any(ClusterState state) {
    List<Supplier<ClusterEvent>> kinds = new ArrayList<>(kinds(state));
    kinds.add(() -> ClusterEvent.together(List.of(one(kinds(state)), one(kinds(state)))));
    return one(kinds);
  }

  private ClusterEvent one(List<Supplier<ClusterEvent>> kinds) {
    return kinds.get(random.nextInt(kinds.size())).get();
  }

  private List<Supplier<ClusterEvent>> kinds(ClusterState state) {
    return List.of(
        () -> new ClusterEvent.NodeJoined(node()),
        () -> new ClusterEvent.NodeJoined(node()),
        () -> new ClusterEvent.NodeLeft(nodeId(), "silent"),
        () -> new ClusterEvent.IndexCreated(index()),
        () -> new ClusterEvent.IndexCreated(index()),
        () -> new ClusterEvent.IndexDeleted(uuid(state)),
        () -> new ClusterEvent.IndexClosed(uuid(state)),
        () -> new ClusterEvent.IndexOpened(uuid(state)),
        () -> new ClusterEvent.IndexRolledOver(index(), aliases(state)),
        () -> aliases(state),
        this::templates,
        () -> new ClusterEvent.MappingChanged(uuid(state), random.nextInt(99), "{\"a\":\"ü𝄞\"}"),
        () -> new ClusterEvent.IndexSettingsChanged(uuid(state), random.nextInt(99), settings()),
        () -> new ClusterEvent.ClusterSettingsChanged(texts(), texts()),
        () -> new ClusterEvent.PrimaryAssigned(shard(state), copy(state), nodeId(), number()),
        () -> new ClusterEvent.ReplicaAssigned(shard(state), copy(state), id(), nodeId()),
        () -> new ClusterEvent.ReplicaPromoted(shard(state), copy(state), number(), "why"),
        () -> new ClusterEvent.CopyStarted(shard(state), copy(state), number()),
        () -> new ClusterEvent.CopyUnassigned(shard(state), copy(state), "why"),
        () -> new ClusterEvent.CopiesChanged(shard(state), copies()),
        () -> new ClusterEvent.RelocationStarted(shard(state), copy(state), id(), nodeId()),
        () -> new ClusterEvent.HandOverStarted(shard(state), copy(state), number()),
        () -> new ClusterEvent.RelocationFinished(shard(state), copy(state)),
        () -> new ClusterEvent.RelocationCancelled(shard(state), copy(state), number(), "why"),
        () -> new ClusterEvent.WritersReleased(uuid(state)),
        () -> new ClusterEvent.FollowAssigned(uuid(state), nodeId(), number()),
        () -> new ClusterEvent.FollowChanged(uuid(state), follow()),
        this::patterns,
        () ->
            new ClusterEvent.AutoFollowHandled(
                "p" + random.nextInt(3), List.of(id()), List.of(uuid(state))),
        () -> leases(state),
        () -> new ClusterEvent.FollowChanged(uuid(state), null, new Fork("eu", "a", "u", Map.of())),
        () ->
            new ClusterEvent.ShardForked(
                shard(state), new ForkPlace(number(), 1, 2, null, number(), 3)),
        () ->
            new ClusterEvent.ShardRevived(
                shard(state), id(), node().nodeId(), new Revival(1_000 + number(), number(), 1)),
        () -> new ClusterEvent.FollowerReplaced(uuid(state), uuid(state)),
        () ->
            new ClusterEvent.FollowStatusChanged(
                uuid(state),
                FollowStatus.NEW
                    .withLeaderMappingVersion(number())
                    .withCopiesToReopen(List.of(id()))),
        () -> new ClusterEvent.OperationSkipped(shard(state), number(), number()),
        () -> new ClusterEvent.FeatureLevelRaised(2 + random.nextInt(FeatureLevels.NEWEST - 1)));
  }

  private ClusterEvent leases(ClusterState state) {
    Map<String, @Nullable RetentionLease> leases = new HashMap<>();
    leases.put("follower" + random.nextInt(3), null);
    RetentionLease active = new RetentionLease(number(), number(), Map.of(0, number()));
    leases.put(
        "follower" + random.nextInt(3),
        random.nextBoolean() ? active : active.ended(RetentionLease.End.EXPIRED, number()));
    return new ClusterEvent.LeasesChanged(Map.of(uuid(state), leases));
  }

  private String id() {
    return "id" + ids++;
  }

  private long number() {
    return 1L + random.nextInt(1_000);
  }

  private String nodeId() {
    return "n" + random.nextInt(4);
  }

  private NodeInfo node() {
    String id = nodeId();
    Set<String> roles =
        random.nextBoolean() ? Set.of(NodeInfo.PRIMARY, NodeInfo.REPLICA) : Set.of(NodeInfo.CCR);
    return new NodeInfo(id, id, "i" + random.nextInt(3), roles, "http://" + id, texts());
  }

  private Map<String, String> texts() {
    return Map.of("a" + random.nextInt(3), "ü" + number(), "b", "\"\\\n");
  }

  private Map<String, @Nullable String> settings() {
    Map<String, @Nullable String> settings = new HashMap<>(texts());
    settings.put("a1", null);
    return settings;
  }

  private List<CopyRouting> copies() {
    List<CopyRouting> copies = new ArrayList<>();
    copies.add(CopyRouting.unassigned(id(), true, "new"));
    if (random.nextBoolean()) {
      copies.add(new CopyRouting(id(), false, CopyRouting.State.INITIALIZING, nodeId(), "new"));
    }
    if (random.nextBoolean()) {
      copies.add(CopyRouting.unassignedForSearch(id(), "new"));
    }
    return copies;
  }

  private IndexMetadata index() {
    String uuid = id();
    List<ShardRouting> shards = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      ShardRouting shard = new ShardRouting(new ShardId(uuid, i), number(), copies());
      shards.add(random.nextBoolean() ? shard : shard.asNeverStarted());
    }
    return new IndexMetadata(
        "name-" + random.nextInt(12), uuid, number(), texts(), 1, "{}", 1, follow(), shards);
  }

  private @Nullable FollowRelation follow() {
    FollowParameters parameters = random.nextBoolean() ? null : FollowParameters.DEFAULTS;
    return switch (random.nextInt(4)) {
      case 0 -> new FollowRelation("eu", "books", "u", null, number(), parameters, true);
      case 1 ->
          new FollowRelation(
              "eu",
              "books",
              "u",
              "n1",
              number(),
              parameters,
              false,
              List.of(new FollowOrigin("c", "u")));
      case 2 -> new FollowRelation("eu", "books", "u", null, number());
      default -> null;
    };
  }

  private ClusterEvent.AliasesChanged aliases(ClusterState state) {
    Map<String, @Nullable AliasMetadata> changes = new HashMap<>();
    changes.put("a" + random.nextInt(3), null);
    changes.put(
        "b" + random.nextInt(3),
        new AliasMetadata("{}", null, "1", random.nextBoolean() ? null : true, null));
    return new ClusterEvent.AliasesChanged(
        Map.of(uuid(state), changes), random.nextInt(4) == 0 ? List.of(uuid(state)) : List.of());
  }

  private ClusterEvent patterns() {
    Map<String, @Nullable AutoFollowPattern> patterns = new HashMap<>();
    patterns.put("p" + random.nextInt(3), null);
    patterns.put(
        "p9",
        new AutoFollowPattern(
            "eu",
            List.of("a*"),
            List.of(),
            random.nextBoolean() ? null : "{{leader_index}}-copy",
            settings(),
            null,
            random.nextBoolean(),
            Set.of(id())));
    return new ClusterEvent.AutoFollowChanged(patterns);
  }

  private ClusterEvent templates() {
    Templates.Content content =
        new Templates.Content(texts(), null, Map.of("x", AliasMetadata.PLAIN));
    Map<String, Templates.@Nullable Legacy> legacy = new HashMap<>();
    legacy.put("l" + random.nextInt(3), null);
    legacy.put("l9", new Templates.Legacy(List.of("a*"), random.nextInt(9), null, content));
    return new ClusterEvent.TemplatesChanged(
        legacy,
        Map.of(
            "c" + random.nextInt(3),
            new Templates.Composable(List.of("b*"), List.of("p"), 3L, null, "{}", content)),
        Map.of("p", new Templates.Component(content, number(), null)));
  }

  private IndexMetadata anIndex(ClusterState state) {
    List<IndexMetadata> all = List.copyOf(state.indices().values());
    return all.isEmpty() ? index() : all.get(random.nextInt(all.size()));
  }

  private String uuid(ClusterState state) {
    return random.nextInt(20) == 0 ? "unknown" : anIndex(state).uuid();
  }

  private ShardId shard(ClusterState state) {
    IndexMetadata index = anIndex(state);
    return index.shard(random.nextInt(index.numberOfShards())).shard();
  }

  private String copy(ClusterState state) {
    List<String> ids =
        state.indices().values().stream()
            .flatMap(index -> index.shards().stream())
            .flatMap(shard -> shard.everywhere().stream())
            .map(CopyRouting::copyId)
            .toList();
    return ids.isEmpty() ? "none" : ids.get(random.nextInt(ids.size()));
  }
}
