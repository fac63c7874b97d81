package io.varve.coordinator.rest.document;

import io.varve.coordinator.rest.consistency.Sessions;
import io.varve.events.SessionToken;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.PathSegment;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.Kind;
import io.varve.rpc.WriteResult;
import io.varve.search.source.SourceFilter;
import java.util.ArrayList;
import java.util.List;

/** Writes one document: index, create, update, delete. Each write is a bulk with one item. */
public final class WriteEndpoint implements RestEndpoint {

  private static final byte[] NO_BODY = {};

  private final Kind kind;
  private final List<Route> routes;
  private final WriteRouter writes;
  private final AutoIds ids;
  private final Sessions sessions;

  private WriteEndpoint(
      Kind kind, List<Route> routes, WriteRouter writes, AutoIds ids, Sessions sessions) {
    this.sessions = sessions;
    this.kind = kind;
    this.routes = routes;
    this.writes = writes;
    this.ids = ids;
  }

  /** Returns one endpoint for each kind of write. */
  public static List<WriteEndpoint> all(WriteRouter writes, AutoIds ids, Sessions sessions) {
    List<RestMethod> post = List.of(RestMethod.POST);
    return List.of(
        new WriteEndpoint(
            Kind.INDEX,
            Route.both(Route.putAndPost("/{index}/_doc/{id}"), Route.of(post, "/{index}/_doc")),
            writes,
            ids,
            sessions),
        new WriteEndpoint(
            Kind.CREATE, Route.putAndPost("/{index}/_create/{id}"), writes, ids, sessions),
        new WriteEndpoint(
            Kind.UPDATE, Route.of(post, "/{index}/_update/{id}"), writes, ids, sessions),
        new WriteEndpoint(
            Kind.DELETE,
            Route.of(List.of(RestMethod.DELETE), "/{index}/_doc/{id}"),
            writes,
            ids,
            sessions));
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
    SourceFilter asked = kind == Kind.UPDATE ? SourceParameters.of(request) : null;
    boolean requireAlias = kind != Kind.DELETE && request.flag("require_alias", false);
    if (kind == Kind.UPDATE) {
      // Accepted without effect: the primary executes writes one after the other, so there is no
      // conflict to retry.
      request.integer("retry_on_conflict", 0);
    }
    byte[] body = kind == Kind.DELETE ? NO_BODY : request.requiredBody();
    UpdateFields fields =
        kind == Kind.UPDATE ? UpdateFields.read(body, 0, body.length) : UpdateFields.NONE;
    WriteItem write = write(request, body, fields);
    SourceFilter shown = fields.shown() == null ? asked : fields.shown();
    boolean shows = shown != null && shown.enabled();
    BulkItem item =
        new BulkItem(
            request.required("index"),
            shows ? write.returningSource() : write,
            requireAlias,
            shows ? shown : null,
            null);
    SessionToken session = request.session();
    return RestAction.task(
        WriteTasks.ofOne(item), responder -> run(item, options, session, responder));
  }

  /** Builds the write. Fields in the body of an update take precedence over parameters. */
  private WriteItem write(RestRequest request, byte[] body, UpdateFields fields) {
    String id = request.param("id");
    Kind effective = effectiveKind(request);
    long version = request.longNumber("version", WriteItem.UNASSIGNED);
    WriteItem.VersionType type = Versions.type(request.param("version_type"));
    long askedSeqNo = request.longNumber("if_seq_no", WriteItem.UNASSIGNED);
    long askedTerm = request.longNumber("if_primary_term", 0);
    long ifSeqNo = fields.ifSeqNo() == WriteItem.UNASSIGNED ? askedSeqNo : fields.ifSeqNo();
    long ifPrimaryTerm = fields.ifPrimaryTerm() == 0 ? askedTerm : fields.ifPrimaryTerm();
    List<String> problems = new ArrayList<>();
    Versions.check(
        effective, request.param("index"), id, type, version, ifSeqNo, ifPrimaryTerm, problems);
    if (kind == Kind.UPDATE) {
      fields.check(ifSeqNo, problems);
    }
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    WriteItem plain = WriteItem.of(effective, id == null ? ids.next() : id, body, 0, body.length);
    return (id == null ? plain.withNewId() : plain)
        .routedBy(request.param("routing"))
        .ifAt(ifSeqNo, ifPrimaryTerm)
        .versioned(type, version);
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
      BulkItem item, WriteOptions options, SessionToken session, RestResponder responder)
      throws InterruptedException {
    WriteRouter.Outcome outcome = writes.write(List.of(item), options).getFirst();
    ShardBatch batch = outcome.batch();
    if (outcome.result() instanceof WriteResult.Failed(var error)) {
      throw new ApiException(error);
    }
    if (batch == null || !(outcome.result() instanceof WriteResult.Done done)) {
      throw new IllegalStateException("written without a shard: " + outcome);
    }
    sessions.answer(responder, session, batch.session());
    Visibility.warn(responder, List.of(batch));
    boolean forced = options.refresh() == RefreshPolicy.IMMEDIATE;
    if (done.status() == 201) {
      responder.header("Location", location(item));
    }
    responder.json(
        done.status(),
        out -> {
          out.writeStartObject();
          WriteJson.writeFields(out, item.write().id(), done, batch, forced);
          WriteJson.writeDocument(out, done, item.shown());
          out.writeEndObject();
        });
  }

  private static String location(BulkItem item) {
    String id = PathSegment.encode(item.write().id());
    return "/" + item.index() + "/_doc/" + id;
  }
}
