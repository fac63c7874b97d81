package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.document.DocumentFetcher.Lookup;
import io.varve.events.ShardId;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code GET} and {@code HEAD} of {@code _doc} and {@code _source}: one document by id. */
public final class GetEndpoint implements RestEndpoint {

  private static final List<RestMethod> READING = List.of(RestMethod.GET, RestMethod.HEAD);

  private final DocumentFetcher reader;
  private final @Nullable ReplicationStates states;

  /**
   * @param states null if only the source is shown
   */
  private GetEndpoint(DocumentFetcher reader, @Nullable ReplicationStates states) {
    this.reader = reader;
    this.states = states;
  }

  /** Responds with the source and its metadata. */
  public static GetEndpoint ofDocuments(DocumentFetcher reader, ReplicationStates states) {
    return new GetEndpoint(reader, states);
  }

  /** Responds with the source only. */
  public static GetEndpoint ofSources(DocumentFetcher reader) {
    return new GetEndpoint(reader, null);
  }

  @Override
  public List<Route> routes() {
    return Route.of(READING, states == null ? "/{index}/_source/{id}" : "/{index}/_doc/{id}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String index = request.required("index");
    Set<String> fields = StoredFields.of(request);
    Lookup lookup =
        new Lookup(
            request.required("id"),
            request.param("routing"),
            DocumentFetcher.Manner.of(request),
            StoredFields.toRead(fields));
    long version = request.longNumber("version", WriteItem.UNASSIGNED);
    var _ = Versions.type(request.param("version_type"));
    SourceFilter asked = SourceParameters.of(request);
    SourceFilter filter = StoredFields.source(asked, fields);
    boolean showsState = states != null && request.flag(ReplicationStates.PARAMETER, false);
    return responder -> {
      DocumentTargets.Found target = reader.target(index);
      if (showsState) {
        ReplicationStates.requireStrong(List.of(target.index()));
      }
      GetResult result = reader.get(target, lookup);
      checkVersion(target, lookup, result, version);
      if (states == null) {
        sourceOnly(responder, target.index(), result, filter);
        return;
      }
      Map<String, Object> state =
          showsState && result.found() ? state(states, target, lookup, result) : Map.of();
      responder.json(
          result.found() ? 200 : 404,
          out -> GetJson.write(out, target.index(), result, filter, state));
    };
  }

  private static Map<String, Object> state(
      ReplicationStates states, DocumentTargets.Found target, Lookup lookup, GetResult result)
      throws InterruptedException {
    ShardId shard =
        DocumentFetcher.shard(target.index(), lookup.routedBy(target.routing(lookup.routing())));
    Version version = Version.of(result.id(), result.seqNo(), result.primaryTerm());
    return states.of(List.of(new ReplicationStates.Shown(shard, version))).getFirst();
  }

  private static void sourceOnly(
      RestResponder responder, IndexMetadata index, GetResult result, SourceFilter filter) {
    byte[] source = result.source();
    if (source == null || !filter.enabled()) {
      throw new ApiException(
          404,
          "resource_not_found_exception",
          (result.found() ? "Source" : "Document")
              + " not found ["
              + index.name()
              + "]/["
              + result.id()
              + "]");
    }
    responder.json(200, filter.apply(source));
  }

  /** Checks the version. For reads, every version type requires exactly that version. */
  static void checkVersion(
      DocumentTargets.Found target, Lookup lookup, GetResult result, long version) {
    if (!result.found() || version == WriteItem.UNASSIGNED || version == result.version()) {
      return;
    }
    IndexMetadata index = target.index();
    int shard = RoutingHash.shardOf(index, lookup.id(), target.routing(lookup.routing()));
    throw new ApiException(
        ErrorBody.of(
                409,
                "version_conflict_engine_exception",
                "["
                    + result.id()
                    + "]: version conflict, current version ["
                    + result.version()
                    + "] is different than the one provided ["
                    + version
                    + "]")
            .with("index", index.name())
            .with("shard", Integer.toString(shard))
            .with("index_uuid", index.uuid()));
  }
}
