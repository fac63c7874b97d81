package io.varve.host.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.FollowerLease;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.log.Appends;
import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ManifestLogTest {

  private static final ShardId SHARD = new ShardId("books", 0);
  private static final int MANY = 700;

  private final PartitionLog partition =
      new InMemoryMessageLog(Runnable::run, () -> 0).open("manifests", 0);
  private final ManifestLog log = new ManifestLog(partition);

  private static Manifest manifest(long term, long generation) {
    return new Manifest(
        SHARD, "n" + term, term, generation, 0, 0, term, -1, List.of(), "", Map.of(), 0);
  }

  private static StoredManifest stored(long term, long generation) {
    return new StoredManifest(SHARD, term, manifest(term, generation), Map.of());
  }

  private ManifestLog.Newest newest(boolean withStored) throws LogException {
    return log.before(partition.endOffset(), withStored);
  }

  @Test
  void anEmptyLogHasNone() throws Exception {
    assertThat(newest(true)).isEqualTo(ManifestLog.Newest.NONE);
  }

  @Test
  void theNewestOfATermIsItsLast() throws Exception {
    for (int generation = 1; generation <= MANY; generation++) {
      log.append(manifest(1, generation));
    }

    assertThat(newest(false).published()).isEqualTo(manifest(1, MANY));
    assertThat(log.before(MANY - 1, false).published()).isEqualTo(manifest(1, MANY - 1));
  }

  @Test
  void lateManifestsOfAnOlderTermDoNotHideTheNewest() throws Exception {
    log.append(manifest(1, 1));
    log.append(manifest(2, 1));
    log.append(manifest(2, 2));
    for (int generation = 2; generation <= MANY; generation++) {
      log.append(manifest(1, generation));
    }

    assertThat(newest(false).published()).isEqualTo(manifest(2, 2));
    assertThat(newest(true).published()).isEqualTo(manifest(2, 2));
  }

  @Test
  void lateStoredManifestsOfAnOlderTermDoNotHideTheNewest() throws Exception {
    log.append(stored(1, 1));
    log.append(stored(2, 1));
    for (int generation = 2; generation <= MANY; generation++) {
      log.append(manifest(1, generation));
      log.append(stored(1, generation));
    }

    assertThat(newest(true).stored()).isEqualTo(stored(2, 1));
    assertThat(log.claim(SHARD, 3).stored())
        .isEqualTo(StoredManifest.claim(SHARD, 3, stored(2, 1)));
  }

  @Test
  void recordsOfOtherKindsAndThoseThatCannotBeReadAreLeftOut() throws Exception {
    log.append(stored(4, 1));
    log.append(manifest(4, 1));
    Appends.await(partition, RawRecord.keyed(manifest(5, 1).recordKey(), bytes("no manifest")));
    Appends.await(partition, RawRecord.keyed(bytes("unknown"), bytes("{}")));
    Appends.await(partition, RawRecord.keyed(manifest(6, 1).recordKey(), null));
    for (int i = 0; i < MANY; i++) {
      Appends.await(partition, new FollowerLease(SHARD, "c-7", i).record());
    }

    assertThat(newest(true)).isEqualTo(new ManifestLog.Newest(manifest(4, 1), stored(4, 1)));
  }

  @Test
  void eachRecordIsReadOnce() throws Exception {
    log.append(stored(2, 1));
    for (int generation = 1; generation <= MANY; generation++) {
      log.append(manifest(1, generation));
    }
    CountingLog counting = new CountingLog(partition);

    new ManifestLog(counting).before(partition.endOffset(), true);

    assertThat(counting.offsets).doesNotHaveDuplicates().hasSize(MANY + 1);
    assertThat(counting.reads).as("ranges, each eight times as long as the last").isEqualTo(2);
  }

  @Test
  void whatIsTruncatedIsNotRead() throws Exception {
    for (int generation = 1; generation <= MANY; generation++) {
      log.append(manifest(1, generation));
    }
    partition.truncateBefore(MANY - 2);
    CountingLog counting = new CountingLog(partition);

    assertThat(new ManifestLog(counting).before(MANY, false).published())
        .isEqualTo(manifest(1, MANY));
    assertThat(counting.offsets).containsExactly((long) MANY - 2, (long) MANY - 1);
  }

  /** Records the reads. */
  private static final class CountingLog extends DelegatingLog {
    private final List<Long> offsets = new ArrayList<>();
    private int reads;

    CountingLog(PartitionLog log) {
      super(log);
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      reads++;
      super.read(
          fromOffset,
          toOffset,
          stored -> {
            offsets.add(stored.offset());
            visitor.visit(stored);
          });
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
