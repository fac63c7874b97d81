package io.varve.shard.replicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.RereplicationPage.Proofs;
import io.varve.rpc.RereplicationPage.Writes;
import io.varve.rpc.RereplicationWork;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordWritesTest {

  private static final long TERM = 3;

  private final Map<String, GetResult> documents = new HashMap<>();
  private final Map<String, WriteResult> scripted = new HashMap<>();
  private final List<WriteItem> written = new ArrayList<>();
  private final List<Integer> bulks = new ArrayList<>();

  private Version document(long seqNo, byte[] source) {
    String id = "d" + seqNo;
    documents.put(id, new GetResult(true, id, "r" + seqNo, 1, seqNo, TERM, source));
    return Version.of(id, seqNo, TERM);
  }

  private Version document(long seqNo) {
    return document(seqNo, ("{\"n\":" + seqNo + "}").getBytes(StandardCharsets.UTF_8));
  }

  private RecordWrites.End write(
      RecordOperations operations, boolean proceed, List<Version> page, long nextSeqNo)
      throws InterruptedException {
    return writes(operations, proceed, page, nextSeqNo)
        .through(items -> {
          bulks.add(items.size());
          written.addAll(items);
          return items.stream()
              .map(item ->
                  scripted.getOrDefault(item.id(), new WriteResult.Done("updated", 100, TERM, 2)))
              .toList();
        });
  }

  private RecordWrites writes(
      RecordOperations operations, boolean proceed, List<Version> page, long nextSeqNo) {
    return new RecordWrites(
        id -> documents.getOrDefault(id, GetResult.missing(id)),
        new RereplicationWork(null, 0, operations, proceed, false),
        new RecordWalk.Peeked(Proofs.NONE, page, nextSeqNo));
  }

  private void fails(String id, int status, String type) {
    scripted.put(id, new WriteResult.Failed(ErrorBody.of(status, type, "no")));
  }

  private void conflicts(String id) {
    fails(id, 409, "version_conflict_engine_exception");
  }

  @Test
  void aTouchWritesTheSameSourceOnConditionThatTheVersionIsTheFoundOne() throws Exception {
    RecordWrites.End end =
        write(RecordOperations.TOUCH, true, List.of(document(4), document(9)), 20);

    assertThat(end).isEqualTo(new RecordWrites.End(new Writes(2, 0, 0), 20, null));
    assertThat(written).hasSize(2);
    WriteItem first = written.getFirst();
    assertThat(first.kind()).isEqualTo(WriteItem.Kind.INDEX);
    assertThat(new String(first.bodyBytes(), StandardCharsets.UTF_8)).isEqualTo("{\"n\":4}");
    assertThat(first.routing()).isEqualTo("r4");
    assertThat(first.ifSeqNo()).isEqualTo(4);
    assertThat(first.ifPrimaryTerm()).isEqualTo(TERM);
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, true"})
  void anUpdateMergesItsDocAndOnlyATouchMakesItNoNoop(boolean touch, boolean noop)
      throws Exception {
    scripted.put("d4", new WriteResult.Done(noop ? "noop" : "updated", 4, TERM, 1));
    RecordWrites.End end =
        write(new RecordOperations(touch, "{\"n\":4}"), true, List.of(document(4)), 20);

    assertThat(written.getFirst().kind()).isEqualTo(WriteItem.Kind.UPDATE);
    assertThat(new String(written.getFirst().bodyBytes(), StandardCharsets.UTF_8))
        .isEqualTo("{\"detect_noop\":" + noop + ",\"doc\":{\"n\":4}}");
    assertThat(end.writes()).isEqualTo(noop ? new Writes(0, 1, 0) : new Writes(1, 0, 0));
  }

  @Test
  void aRecordThatWasChangedOrDeletedBeforeIsPassedOver() throws Exception {
    Version changed = document(4);
    document(30);
    documents.put("d4", new GetResult(true, "d4", null, 2, 30, TERM, new byte[0]));
    Version deleted = Version.of("d5", 5, TERM);

    assertThat(write(RecordOperations.TOUCH, false, List.of(changed, deleted), 20))
        .isEqualTo(new RecordWrites.End(Writes.NONE, 20, null));
    assertThat(written).isEmpty();
  }

  @Test
  void aConflictIsCountedAndPassedOverOrEndsTheWalk() throws Exception {
    conflicts("d5");
    List<Version> page = List.of(document(4), document(5), document(6));

    assertThat(write(RecordOperations.TOUCH, true, page, 20))
        .isEqualTo(new RecordWrites.End(new Writes(2, 0, 1), 20, null));
    RecordWrites.End ended = write(RecordOperations.TOUCH, false, page, 20);
    assertThat(ended.nextSeqNo()).isEqualTo(5);
    assertThat(ended.failure()).isNotNull();
    assertThat(ended.writes().conflicts()).isEqualTo(1);
  }

  @Test
  void aRecordThatIsDeletedBeforeItsUpdateIsAConflict() throws Exception {
    RecordOperations update = new RecordOperations(false, "{\"n\":4}");
    fails("d5", 404, "document_missing_exception");
    List<Version> page = List.of(document(4), document(5), document(6));

    assertThat(write(update, true, page, 20))
        .isEqualTo(new RecordWrites.End(new Writes(2, 0, 1), 20, null));
    assertThat(write(update, false, page, 20).failure()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "429, rejected_execution_exception",
    "503, unknown_outcome_exception",
    "409, stale_primary_exception"
  })
  void aRecordThatCannotBeWrittenNowIsTheFirstOfTheNextPage(int status, String type)
      throws Exception {
    fails("d5", status, type);
    List<Version> page = List.of(document(4), document(5), document(6));

    assertThat(write(RecordOperations.TOUCH, true, page, 20))
        .isEqualTo(new RecordWrites.End(new Writes(2, 0, 0), 5, null));
    assertThatThrownBy(() -> write(RecordOperations.TOUCH, true, page.subList(1, 3), 20))
        .as("without progress the caller pauses")
        .isInstanceOf(ApiException.class);
  }

  @Test
  void aRefusedRecordEndsTheWalk() throws Exception {
    fails("d5", 400, "mapper_parsing_exception");
    RecordWrites.End end =
        write(RecordOperations.TOUCH, true, List.of(document(4), document(5)), 20);

    assertThat(end.nextSeqNo()).isEqualTo(5);
    assertThat(end.failure()).isNotNull();
    assertThat(String.valueOf(end.failure())).contains("mapper_parsing_exception");
  }

  @Test
  void aBulkThatIsRefusedAsAWholeIsRepeatedFromItsFirstRecord() {
    RecordWrites refused = writes(RecordOperations.TOUCH, true, List.of(document(4)), 20);

    assertThatThrownBy(() ->
            refused.through(items -> {
              throw new ApiException(429, "rejected_execution_exception", "full");
            }))
        .hasMessageContaining("full");
  }

  @Test
  void recordsWithoutASourceCanNotBeTouched() throws Exception {
    GetResult none = new GetResult(true, "d4", null, 1, 4, TERM, null);
    documents.put("d4", none);
    RecordWrites.End end =
        write(RecordOperations.TOUCH, true, List.of(Version.of("d4", 4, TERM)), 20);

    assertThat(String.valueOf(end.failure())).contains("_source");
  }

  @Test
  void largeSourcesAreWrittenInSeveralBulks() throws Exception {
    byte[] large = new byte[(int) RecordWrites.MOST_BYTES / 2];
    List<Version> page = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      page.add(document(i, large));
    }

    assertThat(write(RecordOperations.TOUCH, true, page, 20).writes().updated()).isEqualTo(5);
    assertThat(bulks).containsExactly(2, 2, 1);
  }
}
