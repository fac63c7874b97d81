package io.varve.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.events.SegmentFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrefetchedSourceTest {

  private static final PrefetchedSource.Limits LIMITS = new PrefetchedSource.Limits(10, 25);

  private static CopyPlan.Fetch fetch(String name, long length, long present) {
    return new CopyPlan.Fetch(TestFiles.named(name, length, name.hashCode()), present);
  }

  private static List<String> together(CopyPlan.Fetch... fetches) {
    return LIMITS.together(List.of(fetches)).stream().map(SegmentFile::name).toList();
  }

  @Test
  void smallFilesComeTogetherUpToTheLimit() {
    assertThat(together(fetch("a", 5, 0), fetch("b", 10, 0), fetch("c", 10, 0), fetch("d", 10, 0)))
        .containsExactly("a", "b", "c");
    assertThat(together(fetch("a", 5, 0), fetch("long", 11, 0), fetch("b", 5, 0)))
        .containsExactly("a", "b");
  }

  @Test
  void whatIsPartlyHereIsTakenUpAlone() {
    assertThat(together(fetch("a", 5, 2), fetch("b", 5, 0), fetch("c", 5, 0)))
        .containsExactly("b", "c");
  }

  @Test
  void oneFileNeedsNoBundle() {
    assertThat(together(fetch("a", 5, 0))).isEmpty();
    assertThat(PrefetchedSource.Limits.NONE.together(List.of(fetch("a", 0, 0), fetch("b", 1, 0))))
        .isEmpty();
  }

  @Test
  void theRestComesFromTheOtherSource() throws IOException {
    SegmentFile here = TestFiles.named("here", 3, 1);
    SegmentFile there = TestFiles.named("there", 3, 2);
    PrefetchedSource source =
        new PrefetchedSource(
            Map.of(here, new byte[] {1, 2, 3}),
            (file, from, length) -> new ByteArrayInputStream(new byte[] {9}));

    assertThat(source.open(here, 1, 2).readAllBytes()).containsExactly(2, 3);
    assertThat(source.open(there, 0, 3).readAllBytes()).containsExactly(9);
  }

  @Test
  void limitsThatContradictEachOtherAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PrefetchedSource.Limits(10, 9));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PrefetchedSource.Limits(0, (1L << 28) + 1));
  }
}
