package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.HoldsWire.Version;
import io.varve.shard.replicated.LogEvidence.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogEvidenceTest {

  private final InMemoryMessageLog logs = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final PartitionLog log = logs.open("ops", 0);

  /** Term 1: a at 0, b at 1; term 2: a again at 2, b deleted at 3. */
  @BeforeEach
  void write() {
    append(RecordHeader.fence(1, "n1"));
    index(1, 0, "a");
    index(1, 1, "b");
    append(RecordHeader.fence(2, "n2"));
    index(1, 2, "stale");
    index(2, 2, "a");
    append(OperationCodec.encode(new Operation(2, 3, 2, 0, "b", null, null, null)));
  }

  private void index(long term, long seqNo, String id) {
    append(
        OperationCodec.encode(
            new Operation(
                term, seqNo, 1, 0, id, null, "{}".getBytes(StandardCharsets.UTF_8), null)));
  }

  private void append(RawRecord record) {
    try {
      log.append(
          record,
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {}

            @Override
            public void unknown(String reason) {
              throw new IllegalStateException(reason);
            }
          });
    } catch (LogException.Full e) {
      throw new IllegalStateException(e);
    }
  }

  private Verdict of(Version version) throws Exception {
    return of(Disputed.of(version));
  }

  private Verdict of(Disputed disputed) throws Exception {
    return LogEvidence.of(log, List.of(disputed)).getFirst();
  }

  @Test
  void aWholeLogConfirmsTheNewestAcceptedVersionAndDeniesOthers() throws Exception {
    assertThat(of(Version.of("a", 2, 2))).isEqualTo(Verdict.CONFIRMS);
    assertThat(of(Version.of("a", 0, 1))).as("as of seq_no 0").isEqualTo(Verdict.CONFIRMS);
    assertThat(of(Version.deleted("b", 3, 2))).isEqualTo(Verdict.CONFIRMS);
    assertThat(of(Version.of("b", 3, 2))).as("it is a delete").isEqualTo(Verdict.DENIES);
    assertThat(of(Version.of("stale", 2, 1))).as("it was rejected").isEqualTo(Verdict.DENIES);
    assertThat(of(Version.of("c", 2, 2))).isEqualTo(Verdict.DENIES);
  }

  @Test
  void aVersionThatTheLogHasOvertakenUpToTheComparedSeqNoIsDenied() throws Exception {
    assertThat(of(new Disputed(Version.of("a", 0, 1), 1))).isEqualTo(Verdict.CONFIRMS);
    assertThat(of(new Disputed(Version.of("a", 0, 1), 3))).isEqualTo(Verdict.DENIES);
    assertThat(of(new Disputed(Version.of("a", 2, 2), 9)))
        .as("the log does not reach so far")
        .isEqualTo(Verdict.SILENT);
    log.truncateBefore(1);
    assertThat(of(new Disputed(Version.of("a", 0, 1), 3)))
        .as("it may have been rejected")
        .isEqualTo(Verdict.SILENT);
  }

  @Test
  void manyVersionsAreComparedAtOnce() throws Exception {
    List<Disputed> disputed =
        List.of(
            Disputed.of(Version.of("c", 2, 2)),
            Disputed.of(Version.of("a", 2, 2)),
            new Disputed(Version.of("a", 0, 1), 3),
            Disputed.of(Version.of("a", 4, 2)));
    assertThat(LogEvidence.of(log, disputed))
        .containsExactly(Verdict.DENIES, Verdict.CONFIRMS, Verdict.DENIES, Verdict.SILENT);
  }

  @Test
  void anAbsentDocumentIsOneWithoutOperationsOrDeleted() throws Exception {
    assertThat(of(Version.absent("never", 3))).isEqualTo(Verdict.CONFIRMS);
    assertThat(of(Version.absent("b", 3))).isEqualTo(Verdict.CONFIRMS);
    assertThat(of(Version.absent("b", 2))).as("before its delete").isEqualTo(Verdict.DENIES);
    assertThat(of(Version.absent("a", 3))).isEqualTo(Verdict.DENIES);
  }

  @Test
  void aTruncatedLogConfirmsWhatItHasAndDeniesNothing() throws Exception {
    log.truncateBefore(5);
    assertThat(of(Version.of("a", 2, 2))).isEqualTo(Verdict.CONFIRMS);
    assertThat(of(Version.of("b", 1, 1))).isEqualTo(Verdict.SILENT);
    assertThat(of(Version.of("c", 2, 2))).isEqualTo(Verdict.SILENT);
    assertThat(of(Version.absent("b", 3))).isEqualTo(Verdict.SILENT);
  }

  @Test
  void aLogThatLostItsEndOrWasRevivedTellsNothing() throws Exception {
    assertThat(of(Version.of("a", 4, 2))).as("beyond its end").isEqualTo(Verdict.SILENT);
    append(RecordHeader.revival(3, 3, "n1"));
    assertThat(of(Version.of("a", 2, 2))).isEqualTo(Verdict.SILENT);
  }
}
