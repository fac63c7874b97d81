package io.varve.host.search;

import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.search.IndexView;
import io.varve.rpc.ApiException;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The newest known mapping of each index, parsed once per version. */
final class MappingCache {

  /**
   * {@code settingsVersion} is part of it because analyzers, limits and thresholds are settings.
   */
  private record Known(
      long version, long settingsVersion, Mapping mapping, SearchSlowLog slowLog) {}

  private final ClusterView cluster;
  private final Map<String, Known> mappings = new ConcurrentHashMap<>();

  MappingCache(ClusterView cluster) {
    this.cluster = cluster;
  }

  IndexMetadata index(String indexUuid) {
    return cluster
        .current()
        .index(indexUuid)
        .orElseThrow(
            () -> new ApiException(404, "index_not_found_exception", "no such index " + indexUuid));
  }

  /** The index as a search sees it. */
  IndexView view(String indexUuid) {
    IndexMetadata index = index(indexUuid);
    return new IndexView(index.name(), indexUuid, of(indexUuid).mapping(), index.settings());
  }

  SearchSlowLog slowLog(String indexUuid) {
    return of(indexUuid).slowLog();
  }

  private Known of(String indexUuid) {
    IndexMetadata index = index(indexUuid);
    Known known = mappings.get(indexUuid);
    if (known == null
        || known.version() != index.mappingVersion()
        || known.settingsVersion() != index.settingsVersion()) {
      MappingRules rules = MappingRules.of(index.settings());
      known =
          new Known(
              index.mappingVersion(),
              index.settingsVersion(),
              Mapping.parse(index.mapping(), rules),
              SearchSlowLog.of(index.settings()));
      mappings.put(indexUuid, known);
      mappings.keySet().removeIf(uuid -> cluster.current().index(uuid).isEmpty());
    }
    return known;
  }
}
