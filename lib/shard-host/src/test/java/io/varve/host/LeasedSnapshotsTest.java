package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeasedSnapshotsTest {

  private final List<Long> letGo = new ArrayList<>();

  /** Each hold is identified by its generation. */
  private final class Snapshots extends LeasedSnapshots<Long> {

    Snapshots() {
      super(new SnapshotLeases<>(1_000), InstantSource.system());
    }

    boolean publish(long generation) {
      return take(generation);
    }

    @Override
    protected Manifest manifest(Long generation) {
      return new Manifest(
          NodeWorld.SHARD, "n1", 1, generation, 0, 0, 1, -1, List.of(), "", Map.of(), 0);
    }

    @Override
    protected Path path(Long generation, SegmentFile file) {
      throw new AssertionError("there are no files");
    }

    @Override
    protected void letGo(Long generation) {
      letGo.add(generation);
    }

    @Override
    public Lease lease(SnapshotId id, String copyId, long waitMillis) {
      return leased(id, copyId).orElseThrow();
    }

    @Override
    public HeldFile merged(SnapshotId merge, String name) {
      throw SnapshotSource.gone(merge);
    }
  }

  @Test
  void aHoldThatCanNotBeTakenIsLetGo() {
    try (Snapshots snapshots = new Snapshots()) {
      assertThat(snapshots.publish(2)).isTrue();

      assertThatIllegalArgumentException().isThrownBy(() -> snapshots.publish(1));

      assertThat(letGo).containsExactly(1L);
    }
  }
}
