package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.coordinator.rest.document.ReplicationStates;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire.Version;
import io.varve.search.SearchRequest;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Adds the replication states of the hits to the answer of a search; see {@link ReplicationStates}.
 */
public final class HitStates {

  private final ClusterAccess cluster;
  private final ReplicationStates states;

  public HitStates(ClusterAccess cluster, ReplicationStates states) {
    this.cluster = cluster;
    this.states = states;
  }

  /**
   * Refuses searches of an earlier point in time, whose indices may no longer exist.
   *
   * @throws ApiException 400
   */
  static void requireNow(SearchRequest search, SearchOptions options) {
    if (options.scroll() != null || search.scope().pit() != null) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "["
                  + ReplicationStates.PARAMETER
                  + "] can't be used with [scroll] or a point in time"));
    }
  }

  /** Throws 400 unless the primaries of all searched indices track states. */
  void require(SearchOptions.Where where) {
    ReplicationStates.requireStrong(
        SearchTargets.indices(cluster.state(), where).stream().map(SearchIndex::index).toList());
  }

  SearchAnswer show(SearchAnswer answer) throws InterruptedException {
    ClusterState state = cluster.state();
    List<IndexHit> hits = answer.reduced().hits();
    List<ReplicationStates.Shown> shown = new ArrayList<>();
    for (IndexHit hit : hits) {
      IndexMetadata index = state.indices().get(hit.index());
      ShardHit.Stamp stamp = hit.hit().stamp();
      shown.add(
          new ReplicationStates.Shown(
              new ShardId(index == null ? "" : index.uuid(), hit.shard()),
              Version.of(hit.hit().id(), stamp.seqNo(), stamp.primaryTerm())));
    }
    List<Map<String, Object>> known = states.of(shown);
    List<IndexHit> extended = new ArrayList<>();
    for (int i = 0; i < hits.size(); i++) {
      byte[] json = Json.write(known.get(i));
      extended.add(
          hits.get(i).withParts(List.of(new ShardHit.Part(ReplicationStates.FIELD, json))));
    }
    return answer.withHits(extended);
  }
}
