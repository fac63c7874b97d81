package io.varve.coordinator.rest.document;

import io.varve.client.consistency.InSyncWait.NotShown;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import io.varve.search.source.SourceFilter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.io.SerializedString;

/** Writes the result of a write as JSON. */
final class WriteJson {

  /** Names that each item of a bulk repeats are encoded once. */
  private static final SerializedString INDEX = new SerializedString("_index");

  private static final SerializedString ID = new SerializedString("_id");
  private static final SerializedString VERSION = new SerializedString("_version");
  private static final SerializedString RESULT = new SerializedString("result");
  private static final SerializedString SHARDS = new SerializedString("_shards");
  private static final SerializedString TOTAL = new SerializedString("total");
  private static final SerializedString SUCCESSFUL = new SerializedString("successful");
  private static final SerializedString FAILED = new SerializedString("failed");
  private static final SerializedString SEQ_NO = new SerializedString("_seq_no");
  private static final SerializedString PRIMARY_TERM = new SerializedString("_primary_term");

  private WriteJson() {}

  /** Writes the fields of a successful write, without the enclosing braces. */
  static void writeFields(
      JsonGenerator out,
      String id,
      WriteResult.Done done,
      ShardBatch batch,
      boolean forcedRefresh) {
    out.writeName(INDEX);
    out.writeString(batch.index().name());
    out.writeName(ID);
    out.writeString(id);
    out.writeName(VERSION);
    out.writeNumber(done.version());
    out.writeName(RESULT);
    out.writeString(done.result());
    boolean noop = done.result().equals("noop");
    if (forcedRefresh && !noop) {
      out.writeBooleanProperty("forced_refresh", true);
    }
    out.writeName(SHARDS);
    out.writeStartObject();
    out.writeName(TOTAL);
    out.writeNumber(noop ? 0 : batch.copies());
    out.writeName(SUCCESSFUL);
    out.writeNumber(noop ? 0 : batch.startedCopies());
    List<NotShown> failed = noop ? List.of() : batch.notShown();
    out.writeName(FAILED);
    out.writeNumber(failed.size());
    if (!failed.isEmpty()) {
      out.writeName("failures");
      out.writePOJO(failed.stream().map(copy -> failure(copy, batch)).toList());
    }
    out.writeEndObject();
    out.writeName(SEQ_NO);
    out.writeNumber(done.seqNo());
    out.writeName(PRIMARY_TERM);
    out.writeNumber(done.primaryTerm());
  }

  /**
   * Describes a copy on which the write did not become visible in time, although the copy has it or
   * will receive it.
   */
  private static Map<String, Object> failure(NotShown copy, ShardBatch batch) {
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("_index", batch.index().name());
    failure.put("_shard", batch.shard());
    failure.put("_node", copy.copy().node().nodeId());
    failure.put("reason", copy.error().toMap());
    failure.put("status", copy.error().status());
    failure.put("primary", copy.copy().copy().primary());
    return failure;
  }

  /** Writes the document after an update, if the request asks for it. */
  static void writeDocument(
      JsonGenerator out, WriteResult.Done done, @Nullable SourceFilter shown) {
    byte[] source = done.source();
    if (source == null || shown == null) {
      return;
    }
    out.writeName("get");
    out.writeStartObject();
    out.writeNumberProperty("_seq_no", done.seqNo());
    out.writeNumberProperty("_primary_term", done.primaryTerm());
    out.writeBooleanProperty("found", true);
    out.writeName("_source");
    out.writeRawValue(new String(shown.apply(source), StandardCharsets.UTF_8));
    out.writeEndObject();
  }

  static void writeFailure(JsonGenerator out, String index, @Nullable String id, ErrorBody error) {
    out.writeStringProperty("_index", index);
    if (id == null) {
      out.writeNullProperty("_id");
    } else {
      out.writeStringProperty("_id", id);
    }
    out.writeNumberProperty("status", error.status());
    out.writeName("error");
    out.writePOJO(error.toMap());
  }
}
