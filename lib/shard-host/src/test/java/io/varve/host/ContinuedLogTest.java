package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.host.log.ManifestLog;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log has a fence and three operations. */
class ContinuedLogTest {

  private static final ShardId SHARD = new ShardId("books", 0);

  private final InMemoryMessageLog memory = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final PartitionLog operations = memory.open("ops", 0);
  private final PartitionLog manifests = memory.open("manifests", 0);
  private final ContinuedLog log = new ContinuedLog(operations, manifests);

  @BeforeEach
  void write() throws Exception {
    Appends.await(operations, RecordHeader.fence(1, "n1"));
    for (int seqNo = 0; seqNo < 3; seqNo++) {
      operation(seqNo);
    }
  }

  private void operation(long seqNo) throws Exception {
    RawRecord record =
        RecordHeader.data(1, seqNo, "id".getBytes(StandardCharsets.UTF_8), new byte[0]);
    Appends.await(operations, record);
  }

  /** A manifest that shows everything before that offset of the operations. */
  private void publish(long generation, long nextOffset) throws Exception {
    new ManifestLog(manifests)
        .append(
            new Manifest(
                SHARD,
                "n1",
                1,
                generation,
                nextOffset,
                nextOffset - 1,
                1,
                nextOffset - 2,
                List.of(),
                "",
                Map.of(),
                0));
  }

  @Test
  void nothingPublishedSinceTheRefusalProvesThatAPrimaryContinues() throws Exception {
    publish(1, 2);
    assertThat(log.isContinued()).isFalse();
    assertThat(log.isContinued()).isFalse();
  }

  @Test
  void aManifestThatTheLogHoldsProvesIt() throws Exception {
    publish(1, 2);
    assertThat(log.isContinued()).isFalse();

    publish(2, 4);

    assertThat(log.isContinued()).isTrue();
  }

  @Test
  void theFirstManifestProvesItToo() throws Exception {
    assertThat(log.isContinued()).isFalse();
    publish(1, 2);
    assertThat(log.isContinued()).isTrue();
  }

  @Test
  void aManifestOfAPrimaryThatHoldsLostOperationsProvesNothing() throws Exception {
    publish(1, 2);
    assertThat(log.isContinued()).isFalse();

    publish(2, 6);

    assertThat(log.isContinued()).isFalse();
  }
}
