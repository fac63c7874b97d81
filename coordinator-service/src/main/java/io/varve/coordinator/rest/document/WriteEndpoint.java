package io.varve.coordinator.rest.document;

import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.RequestExample;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestMethod;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.RestResponder;
import io.varve.coordinator.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.Kind;
import io.varve.rpc.WriteResult;
import io.varve.search.source.SourceFilter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writes of one document: index, create, update, delete. Each is a bulk of one item. */
public final class WriteEndpoint implements RestEndpoint {

  private static final byte[] NO_BODY = {};

  private final Kind kind;
  private final List<Route> routes;
  private final WriteRouter writes;
  private final DocumentReader reader;
  private final AutoIds ids;

  private WriteEndpoint(
      Kind kind, List<Route> routes, WriteRouter writes, DocumentReader reader, AutoIds ids) {
    this.kind = kind;
    this.routes = routes;
    this.writes = writes;
    this.reader = reader;
    this.ids = ids;
  }

  /** One endpoint for each kind of write. */
  public static List<WriteEndpoint> all(WriteRouter writes, DocumentReader reader, AutoIds ids) {
    List<RestMethod> post = List.of(RestMethod.POST);
    return List.of(
        new WriteEndpoint(
            Kind.INDEX,
            Route.both(Route.putAndPost("/{index}/_doc/{id}"), Route.of(post, "/{index}/_doc")),
            writes,
            reader,
            ids),
        new WriteEndpoint(
            Kind.CREATE, Route.putAndPost("/{index}/_create/{id}"), writes, reader, ids),
        new WriteEndpoint(
            Kind.UPDATE, Route.of(post, "/{index}/_update/{id}"), writes, reader, ids),
        new WriteEndpoint(
            Kind.DELETE,
            Route.of(List.of(RestMethod.DELETE), "/{index}/_doc/{id}"),
            writes,
            reader,
            ids));
  }

  @Override
  public List<Route> routes() {
    return routes;
  }

  @Override
  public RequestExample example() {
    return switch (kind) {
      case INDEX, CREATE -> RequestExample.ofBody("{\"title\":\"Layers of sand\",\"pages\":120}");
      case UPDATE -> RequestExample.ofBody("{\"doc\":{\"pages\":121}}");
      case DELETE -> RequestExample.NOTHING_NEEDED;
    };
  }

  @Override
  public RestAction prepare(RestRequest request) {
    WriteOptions options = WriteOptions.of(request);
    SourceFilter source = kind == Kind.UPDATE ? SourceParameters.of(request) : null;
    boolean requireAlias = kind != Kind.DELETE && request.flag("require_alias", false);
    if (kind == Kind.UPDATE) {
      // A write is decided under the shard's lock, so there is no conflict to try again after.
      request.integer("retry_on_conflict", 0);
    }
    BulkItem item =
        new BulkItem(
            request.required("index"),
            write(request),
            requireAlias,
            source != null && source.enabled(),
            null);
    return responder -> run(item, options, source, responder);
  }

  private WriteItem write(RestRequest request) {
    String id = request.param("id");
    Kind effective = effectiveKind(request);
    long version = request.longNumber("version", WriteItem.UNASSIGNED);
    WriteItem.VersionType type = Versions.type(request.param("version_type"));
    long ifSeqNo = request.longNumber("if_seq_no", WriteItem.UNASSIGNED);
    long ifPrimaryTerm = request.longNumber("if_primary_term", 0);
    byte[] body = kind == Kind.DELETE ? NO_BODY : request.requiredBody();
    List<String> problems = new ArrayList<>();
    Versions.check(
        effective, request.param("index"), id, type, version, ifSeqNo, ifPrimaryTerm, problems);
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    return new WriteItem(
        effective,
        id == null ? ids.next() : id,
        id == null,
        request.param("routing"),
        ifSeqNo,
        ifPrimaryTerm,
        type,
        version,
        body,
        0,
        body.length);
  }

  private Kind effectiveKind(RestRequest request) {
    String opType = kind == Kind.INDEX ? request.param("op_type") : null;
    return switch (opType) {
      case null -> kind;
      case "index" -> Kind.INDEX;
      case "create" -> Kind.CREATE;
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "opType must be 'create' or 'index', found: [" + opType + "]"));
    };
  }

  private void run(
      BulkItem item, WriteOptions options, @Nullable SourceFilter source, RestResponder responder)
      throws InterruptedException {
    List<BulkItem> items = List.of(item);
    List<WriteRouter.Outcome> outcomes = writes.write(items, options);
    WriteRouter.Outcome outcome = outcomes.getFirst();
    ShardBatch batch = outcome.batch();
    if (outcome.result() instanceof WriteResult.Failed(var error)) {
      throw new ApiException(error);
    }
    if (batch == null || !(outcome.result() instanceof WriteResult.Done done)) {
      throw new IllegalStateException("written without a shard: " + outcome);
    }
    UpdatedDocuments updated = UpdatedDocuments.read(items, outcomes, source, reader);
    boolean forced = options.refresh() == RefreshPolicy.IMMEDIATE;
    if (done.status() == 201) {
      responder.header("Location", location(item));
    }
    responder.json(
        done.status(),
        out -> {
          out.writeStartObject();
          WriteJson.writeFields(out, item.write().id(), done, batch, forced);
          updated.write(out, 0);
          out.writeEndObject();
        });
  }

  private static String location(BulkItem item) {
    String id = URLEncoder.encode(item.write().id(), StandardCharsets.UTF_8).replace("+", "%20");
    return "/" + item.index() + "/_doc/" + id;
  }
}
