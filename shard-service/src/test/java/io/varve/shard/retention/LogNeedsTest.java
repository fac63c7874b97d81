package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FollowerLease;
import io.varve.events.ManifestRecord;
import io.varve.events.ShardId;
import io.varve.log.RetentionPlanner;
import io.varve.log.RetentionPlanner.Need;
import io.varve.shard.retention.LogNeeds.Copy;
import io.varve.shard.retention.LogNeeds.Needs;
import io.varve.shard.retention.LogNeeds.Role;
import io.varve.shard.retention.LogNeeds.Rules;
import io.varve.shard.retention.LogNeeds.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogNeedsTest {

  private static final Rules RULES = new Rules(2, 1_000, 5_000);

  private final LogNeeds needs = new LogNeeds();

  private static Copy primary(long offset) {
    return new Copy("p", Role.PRIMARY, "n1", true, offset);
  }

  private static Copy replica(String id, @Nullable String node, long offset) {
    return new Copy(id, Role.REPLICA, node, node != null, offset);
  }

  private static Shard shard(long published, Copy... copies) {
    return new Shard(List.of(copies), published, null);
  }

  private Needs at(long nowMillis, Shard shard) {
    return needs.at(shard, RULES, nowMillis);
  }

  private static long lowest(Needs needs) {
    assertThat(needs).isInstanceOf(Needs.Known.class);
    return ((Needs.Known) needs).needs().stream().mapToLong(Need::fromOffset).min().orElseThrow();
  }

  private static void assertKeepsAll(Needs needs, String because) {
    assertThat(needs)
        .isInstanceOfSatisfying(
            Needs.Everything.class, all -> assertThat(all.reason()).contains(because));
  }

  @Test
  void thePrimarysCommitTheNewestManifestAndEachReplicasCommitAreNeeds() {
    assertThat(lowest(at(0, shard(900, primary(500), replica("r", "n2", 700))))).isEqualTo(500);
    assertThat(lowest(at(0, shard(900, primary(800), replica("r", "n2", 700))))).isEqualTo(700);
    assertThat(lowest(at(0, shard(600, primary(800), replica("r", "n2", 700))))).isEqualTo(600);
  }

  @Test
  void aReplicaWithAnUnknownOffsetKeepsAll() {
    assertKeepsAll(
        at(0, shard(900, primary(900), replica("r", "n2", LogNeeds.UNKNOWN))), "r holds");
  }

  @Test
  void aPrimaryThatHasPublishedNothingKeepsAll() {
    assertKeepsAll(
        at(0, shard(LogNeeds.UNKNOWN, primary(900), replica("r", "n2", 900))), "published");
  }

  @Test
  void aPromotedShardKeepsAllUntilItsForkAndTheLeaseOfItsFormerLeaderAreRecorded() {
    List<Copy> copies = List.of(primary(900), replica("r", "n2", 900));

    assertKeepsAll(at(0, new Shard(copies, 900, null, Map.of(), true)), "fork");
    assertThat(lowest(at(0, new Shard(copies, 900, null, Map.of("failback-x", 400L), false))))
        .isEqualTo(400);
  }

  @Test
  void aSearchCopyIsANeedIfKnownAndDoesNotCountAsAHolder() {
    Copy unknown = new Copy("s", Role.SEARCH, "n3", true, LogNeeds.UNKNOWN);
    Copy known = new Copy("s", Role.SEARCH, "n3", true, 300);
    assertThat(lowest(at(0, shard(900, primary(800), replica("r", "n2", 700), unknown))))
        .isEqualTo(700);
    assertThat(lowest(at(0, shard(900, primary(800), replica("r", "n2", 700), known))))
        .isEqualTo(300);
    assertKeepsAll(at(0, shard(900, primary(900), known)), "1 of the required 2");
  }

  @Test
  void aSingleCopyKeepsAllUnlessOneIsEnough() {
    assertKeepsAll(at(0, shard(900, primary(900))), "1 of the required 2");
    assertThat(lowest(needs.at(shard(900, primary(900)), new Rules(1, 0, 0), 0))).isEqualTo(900);
  }

  @Test
  void twoCopiesOnOneNodeCountOnce() {
    assertKeepsAll(at(0, shard(900, primary(900), replica("r", "n1", 900))), "1 of the required 2");
  }

  @Test
  void aReplicaThatIsNotStartedIsANeedAndDoesNotCountAsAHolder() {
    Copy initializing = new Copy("r", Role.REPLICA, "n2", false, 700);
    assertKeepsAll(at(0, shard(900, primary(900), initializing)), "1 of the required 2");
    assertThat(lowest(at(0, shard(900, primary(900), replica("q", "n3", 800), initializing))))
        .isEqualTo(700);
  }

  @Test
  void theSegmentStoreIsANeedAndCountsForAllCopies() {
    Shard stored = new Shard(List.of(primary(900)), 950, 400L);
    Shard empty = new Shard(List.of(primary(900)), 950, LogNeeds.UNKNOWN);
    assertThat(lowest(at(0, stored))).isEqualTo(400);
    assertKeepsAll(at(0, empty), "store holds nothing");
  }

  @Test
  void whatTheStoreHoldsIsStillNeededByAReplicaThatLacksIt() {
    Shard stored = new Shard(List.of(primary(900), replica("r", "n2", 300)), 950, 800L);
    assertThat(lowest(at(0, stored))).isEqualTo(300);
  }

  @Test
  void aCopyThatLostItsNodeIsANeedForTheGrace() {
    at(0, shard(600, primary(600), replica("q", "n2", 600), replica("r", "n3", 500)));
    Shard without = shard(900, primary(900), replica("q", "n2", 900), replica("r", null, -1));

    assertThat(lowest(at(100, without))).isEqualTo(500);
    assertThat(lowest(at(1_099, without))).isEqualTo(500);
    assertThat(lowest(at(1_100, without))).isEqualTo(900);
    assertThat(lowest(at(9_000, without))).isEqualTo(900);
  }

  @Test
  void anUnassignedCopyWithAnUnknownOffsetKeepsAllForTheGrace() {
    Shard without = shard(900, primary(900), replica("q", "n2", 900), replica("r", null, -1));

    assertKeepsAll(at(100, without), "without a node");
    assertThat(lowest(at(1_100, without))).isEqualTo(900);
  }

  @Test
  void aCopyThatIsReplacedCountsUntilAllCopiesAreStarted() {
    at(0, shard(600, primary(600), replica("q", "n2", 600), replica("r", "n3", 500)));
    Copy building = new Copy("r2", Role.REPLICA, "n4", false, 800);

    assertThat(lowest(at(10, shard(900, primary(900), replica("q", "n2", 900), building))))
        .isEqualTo(500);
    assertThat(
            lowest(
                at(
                    20,
                    shard(900, primary(900), replica("q", "n2", 900), replica("r2", "n4", 850)))))
        .isEqualTo(850);
    assertThat(lowest(at(30, shard(900, primary(900), replica("q", "n2", 900), building))))
        .isEqualTo(800);
  }

  @Test
  void aCopyThatReturnsInTimeIsANeedWithItsOwnOffset() {
    at(0, shard(600, primary(600), replica("q", "n2", 600), replica("r", "n3", 500)));
    at(10, shard(900, primary(900), replica("q", "n2", 900), replica("r", null, -1)));
    Copy back = new Copy("r", Role.REPLICA, "n3", false, 510);

    assertThat(lowest(at(20, shard(900, primary(900), replica("q", "n2", 900), back))))
        .isEqualTo(510);
  }

  @Test
  void aFollowersLeaseIsANeedForItsPeriod() {
    needs.read(new ManifestRecord.Leased(new FollowerLease(new ShardId("u", 0), "f", 20)), 1_000);
    Shard shard = shard(900, primary(900), replica("r", "n2", 900));

    assertThat(lowest(at(6_000, shard))).isEqualTo(20);
    assertThat(lowest(at(6_001, shard))).isEqualTo(900);
  }

  /** For random changes of the copies, a plan never exceeds the need of a copy that has a node. */
  @Test
  void aPlanNeverPassesWhatACopyWithANodeHolds() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      LogNeeds drawn = new LogNeeds();
      RetentionPlanner planner = new RetentionPlanner(0, 1);
      for (int moment = 0; moment < 8; moment++) {
        List<Copy> copies = new ArrayList<>(List.of(primary(random.nextInt(200))));
        for (int i = random.nextInt(4); i > 0; i--) {
          String node = random.nextInt(4) == 0 ? null : "n" + (1 + random.nextInt(4));
          long offset = random.nextInt(5) == 0 ? LogNeeds.UNKNOWN : random.nextInt(200);
          copies.add(
              new Copy(
                  "c" + i, Role.REPLICA, node, random.nextBoolean(), node == null ? -1 : offset));
        }
        Shard shard = new Shard(copies, random.nextInt(200), null);
        if (drawn.at(shard, RULES, moment * 300L) instanceof Needs.Known(List<Need> known)
            && planner.plan(0, 200, known) instanceof RetentionPlanner.Plan.ForgetBefore(long at)) {
          assertThat(at).as("seed %d", seed).isLessThanOrEqualTo(shard.publishedOffset());
          assertThat(copies.stream().filter(Copy::isPlaced))
              .as("seed %d", seed)
              .allMatch(copy -> copy.durableOffset() >= at)
              .map(Copy::nodeId)
              .hasSizeGreaterThanOrEqualTo(2);
        }
      }
    }
  }
}
