package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.Malformed;
import io.varve.events.MalformedRecordException;
import io.varve.events.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class WireTest {

  private static final byte[] BODY = "xx{\"a\":1}yy".getBytes(StandardCharsets.UTF_8);

  private static WriteItem item(
      WriteItem.Kind kind,
      @Nullable String routing,
      long ifSeqNo,
      WriteItem.VersionType type,
      int bodyLength) {
    WriteItem plain =
        WriteItem.of(kind, "id-ü", BODY, 2, bodyLength)
            .routedBy(routing)
            .ifAt(ifSeqNo, ifSeqNo < 0 ? 0 : 3)
            .versioned(type, type == WriteItem.VersionType.INTERNAL ? WriteItem.UNASSIGNED : 12);
    return kind == WriteItem.Kind.CREATE ? plain.withNewId() : plain;
  }

  private static final List<WriteItem> ITEMS =
      List.of(
          item(WriteItem.Kind.INDEX, null, -2, WriteItem.VersionType.INTERNAL, 7),
          item(WriteItem.Kind.CREATE, "r", -2, WriteItem.VersionType.INTERNAL, 7),
          item(WriteItem.Kind.UPDATE, null, 5, WriteItem.VersionType.INTERNAL, 7),
          item(WriteItem.Kind.INDEX, "", -2, WriteItem.VersionType.EXTERNAL_GTE, 7),
          item(WriteItem.Kind.DELETE, null, 0, WriteItem.VersionType.EXTERNAL, 0));

  @Test
  void aBulkIsReadAsItWasWritten() {
    List<WriteItem> read = BulkWire.decodeItems(BulkWire.encodeItems(ITEMS));
    assertThat(read).isEqualTo(ITEMS);
    assertThat(BulkWire.decodeItems(new byte[0])).isEmpty();
  }

  /** An older node does not count the searches that ended the idleness of its copies. */
  @Test
  void searchStatisticsOfAnOlderNodeAreRead() {
    ObjectNode older = (ObjectNode) Json.mapper().valueToTree(CopyStats.Search.NONE);
    older.remove("idle_reactivations");

    assertThat(Json.read(Json.write(older), CopyStats.Search.class))
        .isEqualTo(CopyStats.Search.NONE);
  }

  @Test
  void itsAnswerIsReadAsItWasWritten() {
    List<WriteResult> results =
        List.of(
            new WriteResult.Done("created", 0, 1, 1),
            new WriteResult.Failed(
                new ErrorBody(
                    409,
                    "version_conflict_engine_exception",
                    "[1]: version conflict",
                    Map.of("index", "i", "shard", 0),
                    ErrorBody.illegalArgument("cause"))),
            new WriteResult.Done("not_found", 8, 2, 3));
    assertThat(BulkWire.decodeResults(BulkWire.encodeResults(results))).isEqualTo(results);
    assertThatThrownBy(() -> BulkWire.decodeResults(new byte[] {7}))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void anAnswerBringsTheDocumentWhereThatWasAskedFor() {
    WriteItem asked = ITEMS.getFirst().returningSource();
    assertThat(BulkWire.decodeItems(BulkWire.encodeItems(List.of(asked))).getFirst().returnSource())
        .isTrue();
    assertThat(BulkWire.decodeItems(BulkWire.encodeItems(ITEMS)))
        .noneMatch(WriteItem::returnSource);
    WriteResult.Done done = new WriteResult.Done("updated", 5, 1, 2, BODY);
    assertThat(BulkWire.decodeResults(BulkWire.encodeResults(List.of(done))))
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(done);
  }

  @Test
  void aGetIsReadAsItWasWritten() {
    GetResult found = new GetResult(true, "1", "r", 3, 2, 1, BODY);
    GetResult read = GetResultWire.decode(GetResultWire.encode(found));
    assertThat(read).usingRecursiveComparison().isEqualTo(found);
    GetResult missing = GetResultWire.decode(GetResultWire.encode(GetResult.missing("2")));
    assertThat(missing).isEqualTo(GetResult.missing("2"));
  }

  @Test
  void replicatedOperationsAreReadAsTheyWereWritten() {
    List<Operation> operations =
        List.of(
            new Operation(4, 0, 1, 0, "1", null, BODY, new Operation.Origin(9, 4)),
            new Operation(4, 1, 2, 0, "1", "r", null, new Operation.Origin(11, 4, 1L << 62)));
    assertThat(ReplicateWire.decode(ReplicateWire.encode(operations, true)))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(operations);
    assertThat(ReplicateWire.decode(ReplicateWire.encode(operations, false)))
        .as("without digests")
        .extracting(Operation::origin)
        .containsExactly(new Operation.Origin(9, 4), new Operation.Origin(11, 4));
  }

  @Test
  void brokenBodiesAreMalformedAndNothingElse() {
    Malformed.feed(BulkWire.encodeItems(ITEMS), BulkWire::decodeItems);
    Malformed.feed(
        BulkWire.encodeResults(
            List.of(
                new WriteResult.Done("created", 0, 1, 1),
                new WriteResult.Failed(ErrorBody.illegalArgument("no")))),
        BulkWire::decodeResults);
    Malformed.feed(
        GetResultWire.encode(new GetResult(true, "1", null, 3, 2, 1, BODY)), GetResultWire::decode);
    Malformed.feed(
        ReplicateWire.encode(
            List.of(new Operation(4, 1, 2, 0, "1", "r", BODY, new Operation.Origin(11, 4, 5))),
            true),
        ReplicateWire::decode);
  }
}
