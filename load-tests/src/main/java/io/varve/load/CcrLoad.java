package io.varve.load;

import java.io.IOException;
import java.util.List;

/**
 * A load of a pair of clusters that is sent once. It ends when each follower holds all operations.
 *
 * @param documents the number of different documents
 */
record CcrLoad(String label, CcrTrack track, List<byte[]> bodies, int operations, int documents) {

  static final double CONFLICTS = 0.25;

  /** Times since the first request: of the last ack, and when the last follower held everything. */
  record Times(double ackedSeconds, double heldSeconds) {
    double finishMillis() {
      return (heldSeconds - ackedSeconds) * 1e3;
    }
  }

  /** Documents without ids. */
  static CcrLoad appended(CcrTrack track, int most) {
    int documents = track.documents(most);
    return new CcrLoad(track.label(), track, track.bodies(documents), documents, documents);
  }

  /** Documents of which a quarter overwrites others. */
  static CcrLoad conflicting(CcrTrack track, int most) {
    int operations = track.documents(most);
    CcrTrack.Conflicting conflicting = track.conflicting(operations, CONFLICTS);
    return new CcrLoad(
        track.label() + ", 25% conflicts",
        track,
        conflicting.bodies(),
        operations,
        conflicting.ids());
  }

  /**
   * Creates the indices and runs the load.
   *
   * @param documentsPerSecond the rate; infinite: as fast as the clients can
   */
  Times run(
      CcrPair pair, CcrPair.Layout layout, int clients, double documentsPerSecond, LoadClock clock)
      throws IOException, InterruptedException {
    pair.recreate(track.shape(), layout);
    long beganNanos = clock.nanos();
    send(pair, clients, new Pace(clock, beganNanos, documentsPerSecond / track.documentsPerBulk()));
    long ackedNanos = clock.nanos();
    long heldNanos = ackedNanos;
    for (int i = 1; i <= layout.followers(); i++) {
      heldNanos = awaitHeld(pair, i, layout.shards(), clock);
    }
    return new Times((ackedNanos - beganNanos) / 1e9, (heldNanos - beganNanos) / 1e9);
  }

  /** Sends the load to the leader; returns after the last ack. */
  void send(CcrPair pair, int clients, Pace pace) throws IOException {
    new BulkRun(track.shape(), Copies.NONE, operations, track.documentsPerBulk(), clients, "1s")
        .send(pair.leader(), List.of(CcrPair.INDEX), bodies, new Latencies(), pace);
  }

  /** Returns the time by the clock at which that follower showed all operations. */
  long awaitHeld(CcrPair pair, int follower, int shards, LoadClock clock)
      throws IOException, InterruptedException {
    String index = CcrPair.followerIndex(follower);
    return Checkpoints.awaitOperations(pair.follower(), index, operations, shards, clock);
  }
}
