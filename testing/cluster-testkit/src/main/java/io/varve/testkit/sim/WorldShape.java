package io.varve.testkit.sim;

import io.varve.cluster.IndexMetadata;
import java.util.Random;

/** The size of a world and the probabilities of its faults, drawn from the seed. */
record WorldShape(
    int coordinators,
    int primaryNodes,
    int replicaNodes,
    int replicas,
    int searchReplicas,
    String leaderType,
    String followerType,
    Followed followedIndex,
    boolean remoteStore,
    String logRetention,
    int documents,
    int fields,
    int writes,
    int moves,
    double intensity,
    double doubleTerms,
    double badTransfers,
    double doubleDeliveries,
    boolean strong) {

  /** The leader of the index that follows another one, if there is such an index. */
  enum Followed {
    NOTHING,
    THE_LEADER,
    A_REMOTE;

    private static Followed draw(Random random) {
      return switch (random.nextInt(6)) {
        case 0 -> THE_LEADER;
        case 3 -> A_REMOTE;
        default -> NOTHING;
      };
    }
  }

  static WorldShape draw(Random random) {
    int replicaNodes = 1 + random.nextInt(3);
    double intensity = new double[] {0, 0.3, 1, 1, 2}[random.nextInt(5)];
    String type = type(random);
    boolean forSearch = type.equals(IndexMetadata.SEGMENT) && random.nextBoolean();
    WorldShape drawn =
        new WorldShape(
            1 + random.nextInt(2),
            2 + random.nextInt(2),
            replicaNodes,
            1 + random.nextInt(Math.min(2, replicaNodes)),
            forSearch ? 1 : 0,
            type,
            type(random),
            Followed.draw(random),
            random.nextInt(3) > 0,
            random.nextInt(3) == 0 ? "forever" : "auto",
            3 + random.nextInt(12),
            random.nextBoolean() ? 0 : 1 + random.nextInt(6),
            30 + random.nextInt(60),
            random.nextInt(4),
            intensity,
            0.25 * intensity,
            0.05 * intensity,
            0.1 * intensity,
            false);
    return drawn.writes() % 3 == 0 ? drawn.withStrongLeader() : drawn;
  }

  /** The same world, in which the index that clients write to is strongly consistent. */
  WorldShape withStrongLeader() {
    return new WorldShape(
        coordinators,
        primaryNodes,
        replicaNodes,
        replicas,
        searchReplicas,
        leaderType,
        followerType,
        followedIndex,
        remoteStore,
        logRetention,
        documents,
        fields,
        writes,
        moves,
        intensity,
        doubleTerms,
        badTransfers,
        doubleDeliveries,
        true);
  }

  /** The same world with that number of coordinators. */
  WorldShape withCoordinators(int number) {
    return new WorldShape(
        number,
        primaryNodes,
        replicaNodes,
        replicas,
        searchReplicas,
        leaderType,
        followerType,
        followedIndex,
        remoteStore,
        logRetention,
        documents,
        fields,
        writes,
        moves,
        intensity,
        doubleTerms,
        badTransfers,
        doubleDeliveries,
        strong);
  }

  /** The same world with a following index, and with a log that is truncated. */
  WorldShape followed() {
    return following(Followed.THE_LEADER);
  }

  /** The same world, in which an index follows one of another cluster. */
  WorldShape followingARemote() {
    return following(Followed.A_REMOTE);
  }

  /**
   * The same world with a following index that is promoted, and to which its leader fails back.
   *
   * @param retention of the logs
   */
  WorldShape failingBack(String retention) {
    return new WorldShape(
        coordinators,
        primaryNodes,
        replicaNodes,
        replicas,
        0,
        leaderType,
        followerType,
        Followed.THE_LEADER,
        false,
        retention,
        documents,
        fields,
        writes,
        moves,
        intensity,
        doubleTerms,
        badTransfers,
        doubleDeliveries,
        false);
  }

  /** The same world without followers and segment store, and with logs that are truncated. */
  WorldShape truncatingAlone() {
    return new WorldShape(
        coordinators,
        primaryNodes,
        replicaNodes,
        replicas,
        0,
        leaderType,
        followerType,
        Followed.NOTHING,
        false,
        "auto",
        documents,
        fields,
        writes,
        moves,
        intensity,
        doubleTerms,
        badTransfers,
        doubleDeliveries,
        strong);
  }

  /**
   * The same world with a following index.
   *
   * @param type of the follower's copies
   * @param store whether SEGMENT copies, also the leader's, are in the segment store
   */
  WorldShape followedAs(int copies, String type, boolean store) {
    return new WorldShape(
        coordinators,
        primaryNodes,
        replicaNodes,
        copies - 1,
        0,
        IndexMetadata.SEGMENT,
        type,
        Followed.THE_LEADER,
        store,
        "auto",
        documents,
        fields,
        writes,
        moves,
        intensity,
        doubleTerms,
        badTransfers,
        doubleDeliveries,
        false);
  }

  private WorldShape following(Followed other) {
    return new WorldShape(
        coordinators,
        primaryNodes,
        replicaNodes,
        replicas,
        searchReplicas,
        leaderType,
        followerType,
        other,
        true,
        "auto",
        documents,
        fields,
        writes,
        moves,
        intensity,
        doubleTerms,
        badTransfers,
        doubleDeliveries,
        strong);
  }

  /** Whether an index follows one of another cluster that is sometimes restored. */
  boolean followsARemote() {
    return followedIndex == Followed.A_REMOTE;
  }

  /** Whether an index follows the one that clients write to. */
  boolean followsTheLeader() {
    return followedIndex == Followed.THE_LEADER;
  }

  boolean follower() {
    return followedIndex != Followed.NOTHING;
  }

  private static String type(Random random) {
    return random.nextBoolean() ? IndexMetadata.SEGMENT : IndexMetadata.DOCUMENT;
  }
}
