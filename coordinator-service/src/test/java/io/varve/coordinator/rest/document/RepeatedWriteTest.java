package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import org.junit.jupiter.api.Test;

class RepeatedWriteTest {

  private static final String FIRST = "connection reset";
  private static final byte[] BODY = {'{', '}'};
  private static final WriteResult CONFLICT = failed(409, "version_conflict_engine_exception");

  private static WriteResult failed(int status, String type) {
    return new WriteResult.Failed(ErrorBody.of(status, type, "reason"));
  }

  private static GetResult found(long version) {
    return new GetResult(true, "1", null, version, 5, 3, BODY);
  }

  private static String typeOf(WriteResult result) {
    return WriteResult.errorOf(result).type();
  }

  @Test
  void onlyWritesThatCanBeAppliedOnceAreRepeated() {
    assertThat(RepeatedWrite.isAllowed(WriteItem.index("1", BODY).withNewId())).isTrue();
    assertThat(RepeatedWrite.isAllowed(WriteItem.create("1", BODY).withNewId())).isTrue();
    assertThat(RepeatedWrite.isAllowed(WriteItem.index("1", BODY))).isFalse();
    assertThat(RepeatedWrite.isAllowed(WriteItem.create("1", BODY))).isFalse();
    assertThat(RepeatedWrite.isAllowed(WriteItem.delete("1"))).isFalse();
    assertThat(RepeatedWrite.isAllowed(WriteItem.index("1", BODY).ifAt(1, 1))).isTrue();
    assertThat(RepeatedWrite.isAllowed(WriteItem.delete("1").ifAt(1, 1))).isTrue();
  }

  @Test
  void aWriteWithASeqNoIsRepeatedAsItIs() {
    WriteItem item = WriteItem.index("1", BODY).ifAt(4, 2);
    assertThat(RepeatedWrite.again(item)).isEqualTo(item);
    assertThat(RepeatedWrite.again(WriteItem.index("1", BODY).withNewId()).version()).isEqualTo(1);
  }

  @Test
  void itsConflictSaysNothingOfTheFirstAttempt() {
    WriteItem item = WriteItem.index("1", BODY).ifAt(4, 2);
    assertThat(RepeatedWrite.needsDocument(item, CONFLICT)).isFalse();
    assertThat(RepeatedWrite.needsDocument(WriteItem.index("1", BODY), CONFLICT)).isTrue();
    assertThat(typeOf(RepeatedWrite.result(CONFLICT, null, FIRST)))
        .isEqualTo(WriteResult.UNKNOWN_OUTCOME);
  }

  @Test
  void theFirstVersionThatIsThereIsTheFirstAttempt() {
    assertThat(RepeatedWrite.result(CONFLICT, found(1), FIRST))
        .isEqualTo(new WriteResult.Done("created", 5, 3, 1));
  }

  @Test
  void whatWasChangedOrDeletedSinceHasAnUnknownOutcome() {
    assertThat(typeOf(RepeatedWrite.result(CONFLICT, found(2), FIRST)))
        .isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(typeOf(RepeatedWrite.result(CONFLICT, GetResult.missing("1"), FIRST)))
        .isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(typeOf(RepeatedWrite.result(CONFLICT, null, FIRST)))
        .isEqualTo(WriteResult.UNKNOWN_OUTCOME);
  }

  @Test
  void aRefusalOfTheSecondAttemptSaysNothingOfTheFirst() {
    WriteResult full = failed(429, "rejected_execution_exception");
    assertThat(typeOf(RepeatedWrite.result(full, null, FIRST)))
        .isEqualTo(WriteResult.UNKNOWN_OUTCOME);
  }

  @Test
  void whatWasWrittenOrMayBeSentAgainStaysAsItIs() {
    WriteResult done = new WriteResult.Done("created", 9, 4, 1);
    WriteResult stale = failed(409, WriteResult.STALE_PRIMARY);
    assertThat(RepeatedWrite.result(done, null, FIRST)).isEqualTo(done);
    assertThat(RepeatedWrite.result(stale, null, FIRST)).isEqualTo(stale);
  }
}
