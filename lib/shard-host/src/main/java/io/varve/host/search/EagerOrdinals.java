package io.varve.host.search;

import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexSettings;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.SearchMeters;
import io.varve.engine.fielddata.Fielddata;
import io.varve.engine.fielddata.FielddataMemory;
import io.varve.engine.fielddata.FielddataReader;
import io.varve.engine.fielddata.GlobalOrdinals;
import io.varve.engine.search.IndexView;
import io.varve.events.ShardId;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.IndexReader;

/**
 * Builds the global ordinals of fields with {@code eager_global_ordinals} before a reader is shown.
 * They are cached with the reader and count towards the node's fielddata limit. A reader with a
 * single segment needs none. With {@code index.warmer.enabled: false} searches build them.
 */
public final class EagerOrdinals {

  private final MappingCache mappings;
  private final FielddataMemory memory;

  public EagerOrdinals(ClusterView cluster, FielddataMemory memory) {
    this.mappings = new MappingCache(cluster);
    this.memory = memory;
  }

  /** The warmer for a copy of the shard. */
  public ReaderWarmer of(ShardId shard) {
    return (reader, meters) -> warm(shard, reader, meters);
  }

  private boolean warm(ShardId shard, IndexReader reader, SearchMeters meters) throws IOException {
    IndexView index = mappings.view(shard.indexUuid());
    if (reader.leaves().size() < 2 || "false".equals(index.settings().get(IndexSettings.WARMER))) {
      return false;
    }
    Mapping mapping = index.mapping();
    List<LeafField> eager =
        mapping.leaves().values().stream().filter(LeafField::eagerGlobalOrdinals).toList();
    Fielddata fielddata = new Fielddata(memory, meters);
    for (LeafField field : eager) {
      GlobalOrdinals.of(FielddataReader.over(reader, mapping, fielddata), field.path(), fielddata);
    }
    return !eager.isEmpty();
  }
}
