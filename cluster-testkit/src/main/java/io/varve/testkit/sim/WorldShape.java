package io.varve.testkit.sim;

import io.varve.cluster.IndexMetadata;
import java.util.Random;

/** How large a world is, and how badly things go in it; drawn from the seed. */
record WorldShape(
    int coordinators,
    int primaryNodes,
    int replicaNodes,
    int replicas,
    String leaderType,
    String followerType,
    boolean follower,
    boolean remoteStore,
    int documents,
    int writes,
    double intensity,
    double doubleTerms,
    double badTransfers,
    double doubleDeliveries) {

  static WorldShape draw(Random random) {
    int replicaNodes = 1 + random.nextInt(3);
    double intensity = new double[] {0, 0.3, 1, 1, 2}[random.nextInt(5)];
    return new WorldShape(
        1 + random.nextInt(2),
        2 + random.nextInt(2),
        replicaNodes,
        1 + random.nextInt(Math.min(2, replicaNodes)),
        type(random),
        type(random),
        random.nextInt(3) == 0,
        random.nextInt(2) == 0,
        3 + random.nextInt(12),
        30 + random.nextInt(60),
        intensity,
        0.25 * intensity,
        0.05 * intensity,
        0.1 * intensity);
  }

  private static String type(Random random) {
    return random.nextBoolean() ? IndexMetadata.SEGMENT : IndexMetadata.DOCUMENT;
  }
}
