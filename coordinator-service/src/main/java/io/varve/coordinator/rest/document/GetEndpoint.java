package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RoutingHash;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.document.DocumentFetcher.Lookup;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.List;
import java.util.Set;

/** {@code GET} and {@code HEAD} of {@code _doc} and {@code _source}: one document by id. */
public final class GetEndpoint implements RestEndpoint {

  private static final List<RestMethod> READING = List.of(RestMethod.GET, RestMethod.HEAD);

  private final DocumentFetcher reader;
  private final boolean bare;

  private GetEndpoint(DocumentFetcher reader, boolean bare) {
    this.reader = reader;
    this.bare = bare;
  }

  /** Responds with the source and its metadata. */
  public static GetEndpoint ofDocuments(DocumentFetcher reader) {
    return new GetEndpoint(reader, false);
  }

  /** Responds with the source only. */
  public static GetEndpoint ofSources(DocumentFetcher reader) {
    return new GetEndpoint(reader, true);
  }

  @Override
  public List<Route> routes() {
    return Route.of(READING, bare ? "/{index}/_source/{id}" : "/{index}/_doc/{id}");
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
    return responder -> {
      DocumentTargets.Found target = reader.target(index);
      GetResult result = reader.get(target, lookup);
      checkVersion(target, lookup, result, version);
      answer(responder, target.index(), result, filter);
    };
  }

  private void answer(
      RestResponder responder, IndexMetadata index, GetResult result, SourceFilter filter) {
    if (!bare) {
      responder.json(result.found() ? 200 : 404, out -> GetJson.write(out, index, result, filter));
      return;
    }
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
