package io.varve.store;

import static io.varve.store.TestFiles.manifest;
import static io.varve.store.TestFiles.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CopyPlannerTest {

  private static final SegmentFile A = named("_0.cfs", 100, 1);
  private static final SegmentFile B = named("_1.cfs", 10, 2);
  private static final SegmentFile C = named("_2.cfs", 50, 3);

  @Test
  void fetchesWhatIsNotHereSmallestFirst() {
    CopyPlan plan = CopyPlanner.plan(manifest(1, 1, A, B, C), LocalFiles.NONE);

    assertThat(plan.fetches()).extracting(CopyPlan.Fetch::file).containsExactly(B, C, A);
    assertThat(plan.missingBytes()).isEqualTo(160);
  }

  @Test
  void knowsTheNamesUnderWhichBytesAreGathered() {
    assertThat(CopyPlanner.isTempName(CopyPlanner.tempName(A))).isTrue();
    assertThat(CopyPlanner.isTempName(CopyPlanner.linkName(A))).isTrue();
    assertThat(CopyPlanner.linkName(A)).isNotEqualTo(CopyPlanner.tempName(A));
    assertThat(CopyPlanner.isTempName("_0.cfs")).isFalse();
    assertThat(CopyPlanner.isTempName("replication.")).isFalse();
    assertThat(CopyPlanner.isTempName("_0.tmp")).isFalse();
  }

  @Test
  void fetchesFilesOfOneSizeInTheOrderOfTheirNames() {
    SegmentFile later = named("_4.cfs", 10, 4);

    CopyPlan plan = CopyPlanner.plan(manifest(1, 1, later, B), LocalFiles.NONE);

    assertThat(plan.fetches()).extracting(CopyPlan.Fetch::file).containsExactly(B, later);
  }

  @Test
  void reusesWhatIsHere() {
    CopyPlan plan = CopyPlanner.plan(manifest(1, 1, A, B), local(A, C));

    assertThat(plan.reuse()).containsExactly(A);
    assertThat(plan.fetches()).extracting(CopyPlan.Fetch::file).containsExactly(B);
  }

  @Test
  void linksWhatIsHereUnderAnotherName() {
    SegmentFile other = named("_9.cfs", 100, 1);

    CopyPlan plan = CopyPlanner.plan(manifest(1, 1, A), local(other));

    assertThat(plan.links()).containsExactly(new CopyPlan.Link(other, A));
    assertThat(plan.fetches()).isEmpty();
  }

  @Test
  void fetchesAFileWhoseNameHasOtherContentHere() {
    CopyPlan plan = CopyPlanner.plan(manifest(1, 1, A), local(named("_0.cfs", 100, 7)));

    assertThat(plan.fetches()).containsExactly(new CopyPlan.Fetch(A, 0));
  }

  @Test
  void continuesWhatIsPartlyHere() {
    LocalFiles local = new LocalFiles(List.of(), Map.of(CopyPlanner.tempName(A), 40L));

    CopyPlan plan = CopyPlanner.plan(manifest(1, 1, A), local);

    assertThat(plan.fetches()).containsExactly(new CopyPlan.Fetch(A, 40));
    assertThat(plan.missingBytes()).isEqualTo(60);
  }

  @Test
  void beginsAnewWhenMoreIsHereThanTheFileHas() {
    LocalFiles local = new LocalFiles(List.of(), Map.of(CopyPlanner.tempName(A), 101L));

    assertThat(CopyPlanner.plan(manifest(1, 1, A), local).fetches())
        .containsExactly(new CopyPlan.Fetch(A, 0));
  }

  @Test
  void carriesOverWhatArrivedAndWhatIsPartlyHere() {
    CopyPlan running = CopyPlanner.plan(manifest(1, 1, A, B, C), LocalFiles.NONE);

    CopyPlan plan =
        CopyPlanner.carryOver(
            running, List.of(B), Map.of(CopyPlanner.tempName(A), 30L), manifest(1, 2, A, B));

    assertThat(plan.reuse()).containsExactly(B);
    assertThat(plan.fetches()).containsExactly(new CopyPlan.Fetch(A, 30));
  }

  @Test
  void everyFileOfTheManifestStandsInOneListAndNothingHereIsFetched() {
    for (long seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      List<SegmentFile> wanted = someFiles(random, 0);
      List<SegmentFile> here = someFiles(random, random.nextInt(2));
      Map<String, Long> partial = new HashMap<>();
      someFiles(random, 0).forEach(f -> partial.put(CopyPlanner.tempName(f), 1L));
      Manifest target = manifest(1, 1, wanted);

      CopyPlan plan = CopyPlanner.plan(target, new LocalFiles(here, partial));

      List<SegmentFile> planned = new ArrayList<>(plan.reuse());
      plan.links().forEach(link -> planned.add(link.wanted()));
      plan.fetches().forEach(fetch -> planned.add(fetch.file()));
      assertThat(planned).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(wanted);
      assertThat(plan.fetches())
          .as("seed %d", seed)
          .noneMatch(fetch -> here.stream().anyMatch(fetch.file()::sameContent));
    }
  }

  /** Generates files; {@code shift} assigns contents to different names. */
  private static List<SegmentFile> someFiles(Random random, int shift) {
    List<SegmentFile> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      if (random.nextBoolean()) {
        files.add(named("_" + (i + shift) + ".cfs", 10L + i, i));
      }
    }
    return files;
  }

  private static LocalFiles local(SegmentFile... files) {
    return new LocalFiles(List.of(files), Map.of());
  }
}
