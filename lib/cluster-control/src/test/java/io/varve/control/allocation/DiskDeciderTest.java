package io.varve.control.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.Clusters;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiskDeciderTest {

  private static final long TOTAL = 1_000;
  private static final String PREFIX = "cluster.routing.allocation.disk.";

  private Map<String, String> settings = Map.of();

  /** Decides for a copy that is on node {@code here} or unassigned. */
  private Verdict decide(CopyRouting copy, long term, @Nullable DiskUsage disk) {
    CopyRouting primary =
        copy.primary() ? copy : new CopyRouting("p", true, CopyRouting.State.STARTED, "other", "");
    List<CopyRouting> copies = copy.primary() ? List.of(copy) : List.of(primary, copy);
    ClusterState state =
        Clusters.with(Clusters.node("here", NodeInfo.PRIMARY))
            .apply(new ClusterEvent.ClusterSettingsChanged(settings, Map.of()));
    return DiskDecider.decide(
        new Candidate(
            state,
            new ShardRouting(new ShardId("u", 0), term, copies),
            copy,
            state.nodes().get("here")),
        disk);
  }

  private static DiskUsage used(long percent) {
    return new DiskUsage(TOTAL, TOTAL - TOTAL * percent / 100);
  }

  private static CopyRouting elsewhere(boolean primary) {
    return CopyRouting.unassigned("c", primary, "NODE_LEFT");
  }

  private static CopyRouting here() {
    return new CopyRouting("c", false, CopyRouting.State.STARTED, "here", "");
  }

  @ParameterizedTest
  @CsvSource({"85, true", "86, false", "90, false", "91, false"})
  void aCopyIsAllocatedOnlyBelowTheLowWatermark(long percent, boolean allowed) {
    assertThat(decide(elsewhere(false), 3, used(percent)).yes()).isEqualTo(allowed);
    assertThat(decide(elsewhere(true), 3, used(percent)).yes()).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({"86, true", "90, true", "91, false"})
  void aNewPrimaryIsAllocatedBelowTheHighWatermark(long percent, boolean allowed) {
    assertThat(decide(elsewhere(true), 0, used(percent)).yes()).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({"86, true", "90, true", "91, false"})
  void aCopyStaysOnANodeBelowTheHighWatermark(long percent, boolean allowed) {
    assertThat(decide(here(), 3, used(percent)).yes()).isEqualTo(allowed);
  }

  @Test
  void aWatermarkMayBeANumberOfFreeBytes() {
    settings = Map.of(PREFIX + "watermark.low", "300b", PREFIX + "watermark.high", "200b");

    assertThat(decide(elsewhere(false), 3, new DiskUsage(TOTAL, 300)).yes()).isTrue();
    assertThat(decide(elsewhere(false), 3, new DiskUsage(TOTAL, 299)).yes()).isFalse();
    assertThat(decide(here(), 3, new DiskUsage(TOTAL, 200)).yes()).isTrue();
    assertThat(decide(here(), 3, new DiskUsage(TOTAL, 199)).yes()).isFalse();
  }

  @Test
  void aNodeWithUnknownDiskUsageIsNotRestricted() {
    assertThat(decide(elsewhere(false), 3, null).yes()).isTrue();
  }

  @Test
  void theSwitchTurnsItOff() {
    settings = Map.of(PREFIX + "threshold_enabled", "false");

    assertThat(decide(elsewhere(false), 3, used(100)).yes()).isTrue();
    assertThat(decide(here(), 3, used(100)).yes()).isTrue();
  }

  @Test
  void theReasonNamesTheSettingAndTheDisk() {
    assertThat(decide(elsewhere(false), 3, used(87)).explanation())
        .contains("low watermark cluster setting [" + PREFIX + "watermark.low=85%]")
        .contains("actual used: [87.00%], actual free: [13.00%]");
    assertThat(decide(here(), 3, used(95)).explanation())
        .contains("cannot remain on this node")
        .contains(PREFIX + "watermark.high=90%");
  }
}
