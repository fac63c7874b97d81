package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.rpc.GetResult;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import io.varve.search.source.SourceFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes the result of a read by id as JSON. */
final class GetJson {

  private GetJson() {}

  static void write(JsonGenerator out, IndexMetadata index, GetResult result, SourceFilter filter) {
    write(out, index, result, filter, Map.of());
  }

  /**
   * @param replication the replication state of the document; empty to omit it
   */
  static void write(
      JsonGenerator out,
      IndexMetadata index,
      GetResult result,
      SourceFilter filter,
      Map<String, Object> replication) {
    out.writeStartObject();
    out.writeStringProperty("_index", index.name());
    out.writeStringProperty("_id", result.id());
    if (result.found()) {
      out.writeNumberProperty("_version", result.version());
      out.writeNumberProperty("_seq_no", result.seqNo());
      out.writeNumberProperty("_primary_term", result.primaryTerm());
      @Nullable String routing = result.routing();
      if (routing != null) {
        out.writeStringProperty("_routing", routing);
      }
    }
    out.writeBooleanProperty("found", result.found());
    if (!replication.isEmpty()) {
      out.writeName(ReplicationStates.FIELD);
      out.writePOJO(replication);
    }
    writeSource(out, result, filter);
    writeFields(out, index, result);
    out.writeEndObject();
  }

  private static void writeFields(JsonGenerator out, IndexMetadata index, GetResult result) {
    if (result.fields().isEmpty()) {
      return;
    }
    Mapping mapping = Mapping.parse(index.mapping());
    out.writeName("fields");
    out.writeStartObject();
    for (Map.Entry<String, List<Object>> field : result.fields().entrySet()) {
      LeafField mapped = mapping.leaf(field.getKey());
      if (mapped != null) {
        out.writeName(field.getKey());
        out.writeStartArray();
        field.getValue().forEach(value -> out.writePOJO(StoredFields.shown(mapped, value)));
        out.writeEndArray();
      }
    }
    out.writeEndObject();
  }

  /** Writes the source; writes nothing if there is no source or it is not requested. */
  static void writeSource(JsonGenerator out, GetResult result, SourceFilter filter) {
    byte[] source = result.source();
    if (source != null && filter.enabled()) {
      out.writeName("_source");
      out.writeRawValue(new String(filter.apply(source), StandardCharsets.UTF_8));
    }
  }
}
