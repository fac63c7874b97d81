package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UploadPlanTest {

  private static final UploadPlan.Limits LIMITS = new UploadPlan.Limits(10, 25);

  private final SegmentFile small1 = TestFiles.named("_0.a", 10, 1);
  private final SegmentFile small2 = TestFiles.named("_0.b", 9, 2);
  private final SegmentFile small3 = TestFiles.named("_0.c", 8, 3);
  private final SegmentFile large = TestFiles.named("_1.cfs", 11, 4);

  @Test
  void smallFilesShareObjectsUpToTheLimit() {
    UploadPlan plan =
        UploadPlan.of(TestFiles.manifest(1, 1, large, small3, small1, small2), null, LIMITS);

    assertThat(plan.bundles()).hasSize(1);
    assertThat(plan.bundles().getFirst()).containsExactly(small1, small2);
    assertThat(plan.alone()).containsExactly(large, small3);
    assertThat(plan.bytes()).isEqualTo(38);
  }

  @Test
  void whatIsStoredStaysWhereItIs() {
    Manifest before = TestFiles.manifest(1, 1, small1, large);
    StoredManifest.Place first = new StoredManifest.Place(1, "bundle", 7);
    StoredManifest.Place second = new StoredManifest.Place(1, "_1.cfs-x", 0);
    StoredManifest stored =
        new StoredManifest(TestFiles.SHARD, 2, before, Map.of("_0.a", first, "_1.cfs", second));

    UploadPlan plan = UploadPlan.of(TestFiles.manifest(2, 1, small1, small2), stored, LIMITS);

    assertThat(plan.present()).containsExactly(Map.entry("_0.a", first));
    assertThat(plan.alone()).containsExactly(small2);
  }

  @Test
  void aStoredFileOfTheSameNameIsNotTheSameFile() {
    Manifest before = TestFiles.manifest(1, 1, small1);
    StoredManifest stored =
        new StoredManifest(
            TestFiles.SHARD, 1, before, Map.of("_0.a", new StoredManifest.Place(1, "o", 0)));

    UploadPlan plan =
        UploadPlan.of(TestFiles.manifest(2, 1, TestFiles.named("_0.a", 10, 9)), stored, LIMITS);

    assertThat(plan.present()).isEmpty();
    assertThat(plan.alone()).hasSize(1);
  }

  @Test
  void limitsThatContradictEachOtherAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new UploadPlan.Limits(10, 9));
    assertThatIllegalArgumentException().isThrownBy(() -> new UploadPlan.Limits(-1, 9));
  }
}
