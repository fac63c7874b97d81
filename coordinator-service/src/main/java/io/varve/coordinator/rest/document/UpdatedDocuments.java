package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.source.SourceFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The documents after updates, for answers that show them. They are read after the update was
 * acked; when another write came in between, the newer document is shown, with its own seq_no.
 */
final class UpdatedDocuments {

  private final Map<Integer, GetResult> documents = new HashMap<>();
  private final SourceFilter filter;

  private UpdatedDocuments(SourceFilter filter) {
    this.filter = filter;
  }

  static UpdatedDocuments read(
      List<BulkItem> items,
      List<WriteRouter.Outcome> outcomes,
      @Nullable SourceFilter filter,
      DocumentReader reader)
      throws InterruptedException {
    UpdatedDocuments updated = new UpdatedDocuments(filter == null ? SourceFilter.ALL : filter);
    for (int i = 0; i < items.size(); i++) {
      BulkItem item = items.get(i);
      ShardBatch batch = outcomes.get(i).batch();
      if (item.fetchSource()
          && batch != null
          && outcomes.get(i).result() instanceof WriteResult.Done) {
        IndexMetadata index = batch.index();
        WriteItem write = item.write();
        updated.documents.put(
            i, reader.get(index, DocumentReader.Lookup.of(write.id(), write.routing())));
      }
    }
    return updated;
  }

  void write(JsonGenerator out, int position) {
    GetResult document = documents.get(position);
    if (document != null && document.found()) {
      out.writeName("get");
      out.writeStartObject();
      out.writeNumberProperty("_seq_no", document.seqNo());
      out.writeNumberProperty("_primary_term", document.primaryTerm());
      out.writeBooleanProperty("found", true);
      GetJson.writeSource(out, document, filter);
      out.writeEndObject();
    }
  }
}
