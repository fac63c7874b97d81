package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import io.varve.rpc.SeqNoDigests.Range;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two engines that apply one log, with other segments. */
class DigestsOfCopiesTest {

  @TempDir Path folder;

  private static void replay(EngineFixture from, EngineFixture to, int toSeqNo) {
    for (int i = to.log.size(); i < toSeqNo; i++) {
      Operation operation = from.log.get(i);
      to.log.add(operation);
      to.engine.apply(i, operation, null);
    }
  }

  @Test
  void copiesOfOneLogHaveEqualDigestsWhateverTheirSegments() {
    try (EngineFixture primary = new EngineFixture(folder.resolve("p"));
        EngineFixture copy = new EngineFixture(folder.resolve("c"))) {
      for (int i = 0; i < 3_000; i++) {
        primary.index("d" + i % 2_000, "{}");
        if (i % 500 == 0) {
          primary.refresh();
        }
      }
      primary.delete("d1");
      replay(primary, copy, 3_001);

      assertThat(primary.engine.digests(3_001).ranges()).isEqualTo(3);
      assertThat(primary.engine.digests(3_001).differing(copy.engine.digests(3_001))).isEmpty();
      assertThat(primary.engine.digests(10).ranges()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aCopyThatIsFurtherOnDiffersOnlyWhereItHasOverwritten() {
    try (EngineFixture primary = new EngineFixture(folder.resolve("p"));
        EngineFixture copy = new EngineFixture(folder.resolve("c"))) {
      for (int i = 0; i < 3_000; i++) {
        primary.index("d" + i, "{}");
      }
      replay(primary, copy, 3_000);
      primary.index("d1500", "{}");

      assertThat(primary.engine.digests(3_000).differing(copy.engine.digests(3_000)))
          .containsExactly(new Range(1_024, 2_048));
      replay(primary, copy, 3_001);
      assertThat(primary.engine.digests(3_000).differing(copy.engine.digests(3_000))).isEmpty();
    }
  }
}
