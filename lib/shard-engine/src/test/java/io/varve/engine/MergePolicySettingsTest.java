package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.lucene.index.TieredMergePolicy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergePolicySettingsTest {

  @TempDir Path folder;

  private static int segments(EngineFixture fixture) {
    return fixture.engine.segments().segments().size();
  }

  private static void write(EngineFixture fixture, int from, int to) {
    for (int i = from; i < to; i++) {
      fixture.index("id" + i, "{\"n\":" + i + "}");
      fixture.refresh();
    }
  }

  @Test
  void anOpenIndexMergesByItsSettings() {
    try (EngineFixture fixture =
        new EngineFixture(folder, "{}", 1, Map.of("index.merge.policy.segments_per_tier", "100"))) {
      write(fixture, 0, 40);
      assertThat(segments(fixture)).isEqualTo(40);

      fixture.engine.settings(Map.of("index.merge.policy.segments_per_tier", "2"));
      write(fixture, 40, 41);

      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> {
            fixture.refresh();
            assertThat(segments(fixture)).isLessThan(10);
          });
    }
  }

  @Test
  void eachSettingIsPassedToLucene() {
    TieredMergePolicy policy =
        (TieredMergePolicy)
            new TieredMerges(
                    Map.of(
                        "index.merge.policy.floor_segment", "2mb",
                        "index.merge.policy.max_merged_segment", "512kb",
                        "index.merge.policy.segments_per_tier", "6.5",
                        "index.merge.policy.max_merge_at_once", "30",
                        "index.merge.policy.deletes_pct_allowed", "33.0",
                        "index.merge.policy.expunge_deletes_allowed", "3"))
                .policy();

    assertThat(policy.getFloorSegmentMB()).isEqualTo(2);
    assertThat(policy.getMaxMergedSegmentMB()).isEqualTo(0.5);
    assertThat(policy.getSegmentsPerTier()).isEqualTo(6.5);
    assertThat(policy.getMaxMergeAtOnce()).isEqualTo(6);
    assertThat(policy.getDeletesPctAllowed()).isEqualTo(33);
    assertThat(policy.getForceMergeDeletesPctAllowed()).isEqualTo(3);
  }

  /** The page of settings names these defaults. */
  @Test
  void absentAndMalformedSettingsHaveLucenesDefaults() {
    TieredMerges merges =
        new TieredMerges(
            Map.of(
                "index.merge.policy.floor_segment", "small",
                "index.merge.policy.deletes_pct_allowed", "99",
                "index.merge.policy.max_merge_at_once", "4"));
    merges.follow(Map.of("index.merge.policy.floor_segment", "small"));
    TieredMergePolicy policy = (TieredMergePolicy) merges.policy();

    assertThat(policy.getFloorSegmentMB()).isEqualTo(16);
    assertThat(policy.getMaxMergedSegmentMB()).isEqualTo(5 * 1024);
    assertThat(policy.getSegmentsPerTier()).isEqualTo(8);
    assertThat(policy.getMaxMergeAtOnce()).isEqualTo(10);
    assertThat(policy.getDeletesPctAllowed()).isEqualTo(20);
    assertThat(policy.getForceMergeDeletesPctAllowed()).isEqualTo(10);
  }
}
