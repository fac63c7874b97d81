package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.shard.ShardClient.UnreachableException;
import io.varve.rpc.ApiException;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.source.SourceFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/**
 * The documents after updates, for answers that show them. They are read after the update was
 * acked; when another write came in between, the newer document is shown, with its own seq_no.
 */
final class UpdatedDocuments {

  private static final Logger LOG = LoggerFactory.getLogger(UpdatedDocuments.class);

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
        try {
          updated.documents.put(
              i, reader.get(index, DocumentReader.Lookup.of(write.id(), write.routing())));
        } catch (ApiException | UnreachableException e) {
          // The write is acked whatever becomes of the look: its answer goes without the document.
          LOG.debug("[{}] could not be read after its update", write.id(), e);
        }
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
