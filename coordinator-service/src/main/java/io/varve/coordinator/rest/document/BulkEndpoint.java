package io.varve.coordinator.rest.document;

import io.varve.coordinator.rest.consistency.Sessions;
import io.varve.events.SessionToken;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** {@code _bulk}: many writes in one request, each with its own result. */
public final class BulkEndpoint implements RestEndpoint {

  private final WriteRouter writes;
  private final AutoIds ids;
  private final Sessions sessions;

  public BulkEndpoint(WriteRouter writes, AutoIds ids, Sessions sessions) {
    this.sessions = sessions;
    this.writes = writes;
    this.ids = ids;
  }

  @Override
  public List<Route> routes() {
    return Route.putAndPost("/_bulk", "/{index}/_bulk");
  }

  @Override
  public boolean readsLines() {
    return true;
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        """
        {"index":{"_index":"books","_id":"1"}}
        {"title":"Layers of sand","pages":120}
        """);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    WriteOptions options = WriteOptions.of(request);
    BulkDefaults defaults =
        new BulkDefaults(
            request.param("index"),
            request.param("routing"),
            request.flag("require_alias", false),
            SourceParameters.of(request));
    byte[] body = request.requiredBody();
    SessionToken session = request.session();
    List<BulkItem> items = BulkParser.parse(body, defaults, ids);
    return RestAction.task(
        WriteTasks.ofBulk(items), responder -> run(items, options, session, responder));
  }

  private void run(
      List<BulkItem> items, WriteOptions options, SessionToken session, RestResponder responder)
      throws InterruptedException {
    long started = System.nanoTime();
    List<WriteRouter.Outcome> outcomes = writes.write(items, options);
    long tookMillis = (System.nanoTime() - started) / 1_000_000;
    sessions.answer(responder, session, WriteRouter.session(outcomes));
    Visibility.warn(
        responder,
        outcomes.stream().map(WriteRouter.Outcome::batch).filter(Objects::nonNull).toList());
    responder.json(200, out -> write(out, items, outcomes, options, tookMillis));
  }

  /** {@code took} and {@code errors} come first: some clients stop reading after them. */
  private static void write(
      JsonGenerator out,
      List<BulkItem> items,
      List<WriteRouter.Outcome> outcomes,
      WriteOptions options,
      long tookMillis) {
    boolean errors = outcomes.stream().anyMatch(o -> o.result() instanceof WriteResult.Failed);
    boolean forced = options.refresh() == RefreshPolicy.IMMEDIATE;
    out.writeStartObject();
    out.writeNumberProperty("took", tookMillis);
    out.writeBooleanProperty("errors", errors);
    out.writeName("items");
    out.writeStartArray();
    for (int i = 0; i < items.size(); i++) {
      out.writeStartObject();
      out.writeName(word(items.get(i).write().kind()));
      out.writeStartObject();
      writeItem(out, items.get(i), outcomes.get(i), forced);
      out.writeEndObject();
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void writeItem(
      JsonGenerator out, BulkItem item, WriteRouter.Outcome outcome, boolean forced) {
    WriteItem write = item.write();
    @Nullable ShardBatch batch = outcome.batch();
    switch (outcome.result()) {
      case WriteResult.Done done when batch != null -> {
        WriteJson.writeFields(out, write.id(), done, batch, forced);
        out.writeNumberProperty("status", done.status());
        WriteJson.writeDocument(out, done, item.shown());
      }
      case WriteResult.Done done ->
          throw new IllegalStateException(done + " was written without a shard");
      case WriteResult.Failed failed ->
          WriteJson.writeFailure(
              out,
              batch == null ? item.index() : batch.index().name(),
              batch == null && write.autoId() ? null : write.id(),
              failed.error());
    }
  }

  private static String word(WriteItem.Kind kind) {
    return switch (kind) {
      case INDEX -> "index";
      case CREATE -> "create";
      case UPDATE -> "update";
      case DELETE -> "delete";
    };
  }
}
