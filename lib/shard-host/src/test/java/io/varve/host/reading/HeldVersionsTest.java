package io.varve.host.reading;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.version.DocumentState;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeldVersionsTest {

  @ParameterizedTest(name = "{0} {1}@{2}, the copy is at {3} and has {4} {5}@{6}: {7}")
  @CsvSource({
    "document,  10, 4,  9, none,       0, 0, BEHIND",
    "document,  10, 4,  9, document,  10, 4, BEHIND",
    "document,  10, 4, 10, document,  10, 4, HOLDS",
    "document,  10, 4, 12, document,  11, 4, NEWER",
    "document,  10, 4, 12, tombstone, 11, 4, NEWER",
    "document,  10, 4, 12, document,  10, 3, OTHER",
    "document,  10, 4, 12, document,   8, 4, OTHER",
    "document,  10, 4, 12, tombstone, 10, 4, OTHER",
    "document,  10, 4, 12, none,       0, 0, OTHER",
    "tombstone, 10, 4, 12, none,       0, 0, HOLDS",
    "tombstone, 10, 4, 12, tombstone, 10, 4, HOLDS",
    "tombstone, 10, 4, 12, document,   8, 4, OTHER",
    "tombstone, 10, 4, 12, document,  11, 4, NEWER",
    "absent,    10, 0,  9, none,       0, 0, BEHIND",
    "absent,    10, 0, 10, none,       0, 0, HOLDS",
    "absent,    10, 0, 10, tombstone,  8, 4, HOLDS",
    "absent,    10, 0, 12, tombstone, 11, 4, HOLDS",
    "absent,    10, 0, 10, document,   8, 4, OTHER",
    "absent,    10, 0, 12, document,  11, 4, NEWER",
  })
  void theVersionIsComparedWithWhatTheCopyHas(
      String kind,
      long seqNo,
      long term,
      long heldUpTo,
      String has,
      long hasSeqNo,
      long hasTerm,
      Verdict expected) {
    Version version =
        switch (kind) {
          case "document" -> Version.of("d", seqNo, term);
          case "tombstone" -> Version.deleted("d", seqNo, term);
          default -> Version.absent("d", seqNo);
        };
    assertThat(HeldVersions.judge(version, heldUpTo, state(has, hasSeqNo, hasTerm)))
        .isEqualTo(expected);
  }

  private static @Nullable DocumentState state(String has, long seqNo, long term) {
    return has.equals("none")
        ? null
        : new DocumentState(seqNo, term, 1, has.equals("tombstone"), null, null);
  }
}
