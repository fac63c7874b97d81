package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests when a follower's shard copies the leader's segments. */
class BootstrapDecisionTest {

  private static final long MIB = 1 << 20;

  /** A manifest whose files have that many MiB; each of the leader's records has 1 KiB. */
  private static Manifest manifest(long nextOffset, long mib) {
    return new Manifest(
        new ShardId("leader", 0),
        "n1",
        1,
        4,
        nextOffset,
        nextOffset - 1,
        1,
        nextOffset - 2,
        List.of(new SegmentFile("_0.cfs", mib * MIB, "id", "1")),
        "",
        Map.of(),
        0);
  }

  @ParameterizedTest
  @CsvSource({
    "0,        -1,  0, false, Replay",
    "0,         1,  0, false, Replay",
    "0,     16384,  0, false, Replay",
    "0,     16385,  0, false, Copy",
    "0,     65536, 64, false, Replay",
    "0,     65537, 64, false, Copy",
    "0,    200000, 64, false, Copy",
    "1,         1,  0, false, Copy",
    "500,     500, 64, false, Copy",
    "500,  200000, 64, false, Copy",
    "500,     499, 64, false, Impossible",
    "500,      -1,  0, false, Impossible",
    "0, 1, 0, true, Copy",
    "0, 65536, 64, true, Copy",
    "0, -1, 0, true, Impossible"
  })
  void comparesTheBytesToReplayWithTheBytesToCopy(
      long startOffset, long nextOffset, long mib, boolean mustCopy, String choice) {
    BootstrapDecision.Choice chosen =
        BootstrapDecision.decide(
            new BootstrapDecision.LeaderLog(startOffset, 1_024),
            nextOffset < 0 ? null : manifest(nextOffset, mib),
            mustCopy);

    assertThat(chosen.getClass().getSimpleName()).isEqualTo(choice);
  }
}
