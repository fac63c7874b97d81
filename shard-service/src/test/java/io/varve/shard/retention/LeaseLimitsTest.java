package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.RetentionLease;
import io.varve.events.RawRecord;
import io.varve.host.NodeWorld;
import io.varve.log.Appends;
import io.varve.rpc.ClusterCalls;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseLimitsTest {

  private static final RetentionLease LEASE = new RetentionLease(7, 0, Map.of(0, 40L));

  @TempDir Path folder;
  private NodeWorld world;
  private LeaseLimits limits;

  /** One hundred records, alternately of 100 and 300 bytes without their keys. */
  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of("index.refresh_interval", "-1"), "{}");
    limits = new LeaseLimits(world.copy("n1"));
    for (int i = 0; i < 100; i++) {
      Appends.await(world.operations(), RawRecord.keyed(new byte[1], new byte[i % 2 * 200 + 99]));
    }
  }

  @AfterEach
  void close() {
    world.close();
  }

  @ParameterizedTest
  @CsvSource({
    // from, end, bytes, max, limit
    "0, 100, 1000, 1000, -1",
    "0, 100, 1000, 999, 1",
    "50, 100, 1000, 500, 75",
    "50, 100, 1000, 0, 100",
    "0, 1000000000000, 4000000000000000, 1000000000000000, 750000000000",
  })
  void theLimitIsTheOffsetFromWhichAsMuchIsLeftAsMayBeRetained(
      long from, long end, long bytes, long maxBytes, long limit) {
    assertThat(LeaseLimits.limitOffset(from, end, bytes, maxBytes))
        .isEqualTo(limit < 0 ? OptionalLong.empty() : OptionalLong.of(limit));
  }

  @Test
  void theBytesOfARangeAreEstimatedFromRecordsAllOverIt() throws Exception {
    assertThat(LeaseLimits.estimateBytes(world.operations(), 0, 100)).isBetween(15_000L, 25_000L);
    assertThat(LeaseLimits.estimateBytes(world.operations(), 99, 100)).isEqualTo(300);
  }

  @Test
  void aLeaseThatRetainsTooMuchIsReportedWithItsGenerationAndTheLimit() throws Exception {
    limits.check(Map.of("a", LEASE), 6_000, 0);

    assertThat(world.leader.leasesOverLimit)
        .singleElement()
        .satisfies(report -> {
          assertThat(report.holder()).isEqualTo("a");
          assertThat(report.generation()).isEqualTo(7);
          assertThat(report.shard()).isEqualTo(NodeWorld.SHARD);
          assertThat(report.limitOffset()).isBetween(60L, 80L);
        });
  }

  @Test
  void whatMayBeRetainedOrRetainsNothingIsNotReported() throws Exception {
    RetentionLease ended = LEASE.ended(RetentionLease.End.EXPIRED, 0);
    RetentionLease atTheEnd = LEASE.renewed(Map.of(0, 100L), 0);
    RetentionLease ofAnotherShard = new RetentionLease(7, 0, Map.of(1, 0L));
    limits.check(Map.of("a", ended, "b", atTheEnd, "c", ofAnotherShard), 0, 0);
    limits.check(Map.of("d", LEASE), 1 << 20, 30_000);
    limits.check(Map.of("e", LEASE), -1, 60_000);

    assertThat(world.leader.leasesOverLimit).isEmpty();
  }

  @Test
  void leasesAreCheckedTwiceAMinute() throws Exception {
    limits.check(Map.of("a", LEASE), 0, 0);
    limits.check(Map.of("a", LEASE), 0, 29_999);
    assertThat(world.leader.leasesOverLimit).hasSize(1);
    limits.check(Map.of("a", LEASE), 0, 30_000);
    assertThat(world.leader.leasesOverLimit)
        .extracting(ClusterCalls.LeaseOverLimit::limitOffset)
        .containsExactly(100L, 100L);
  }
}
