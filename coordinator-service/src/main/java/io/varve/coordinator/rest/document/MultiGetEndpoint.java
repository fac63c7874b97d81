package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.document.DocumentFetcher.Lookup;
import io.varve.events.ShardId;
import io.varve.process.Parallel;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * {@code _mget}: reads many documents by id, each with its own result. The documents of one shard
 * are read with one call.
 */
public final class MultiGetEndpoint implements RestEndpoint {

  private static final Set<String> FIELDS =
      Set.of("_index", "_id", "routing", "stored_fields", "_source", "version", "version_type");

  private final DocumentFetcher reader;
  private final Parallel parallel;

  public MultiGetEndpoint(DocumentFetcher reader, Parallel parallel) {
    this.reader = reader;
    this.parallel = parallel;
  }

  private record Wanted(String index, Lookup lookup, long version, SourceFilter filter) {}

  /** A document whose shard is known. */
  private record Placed(int position, Wanted wanted, DocumentTargets.Found target, Lookup lookup) {}

  /** The parts of the documents that the request selects; a document may override it. */
  private record Shown(@Nullable SourceFilter source, @Nullable Set<String> fields) {}

  private sealed interface Answer {
    record Read(IndexMetadata index, Wanted wanted, GetResult result) implements Answer {}

    record Failed(Wanted wanted, ErrorBody error) implements Answer {}
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_mget", "/{index}/_mget");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"docs\":[{\"_index\":\"books\",\"_id\":\"1\"}]}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String index = request.param("index");
    Lookup common =
        new Lookup("", request.param("routing"), DocumentFetcher.Manner.of(request), Set.of());
    Shown shown = new Shown(SourceParameters.of(request), StoredFields.of(request));
    request.requiredBody();
    List<Wanted> wanted = wanted(request.bodyAsMap(), index, common, shown);
    return responder -> {
      List<Answer> answers = read(wanted);
      responder.json(200, out -> write(out, answers));
    };
  }

  private static List<Wanted> wanted(
      Map<String, Object> body, @Nullable String index, Lookup common, Shown shown) {
    List<Wanted> wanted = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, Object> entry : body.entrySet()) {
      if (!(entry.getValue() instanceof List<?> list)) {
        throw unexpected(entry.getKey());
      }
      switch (entry.getKey()) {
        case "docs" -> list.forEach(doc -> wanted.add(one(doc, index, common, shown)));
        case "ids" ->
            list.forEach(id -> wanted.add(one(Map.of("_id", notNull(id)), index, common, shown)));
        default -> throw unexpected(entry.getKey());
      }
    }
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).index().isEmpty()) {
        problems.add("index is missing for doc " + i);
      }
      if (wanted.get(i).lookup().id().isEmpty()) {
        problems.add("id is missing for doc " + i);
      }
    }
    if (wanted.isEmpty()) {
      problems.add("no documents to get");
    }
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    return wanted;
  }

  private static ApiException unexpected(String field) {
    return new ApiException(
        400,
        "parsing_exception",
        "unknown key ["
            + field
            + "] for a multi get, expected [docs] or [ids] with an array of documents or ids");
  }

  private static Wanted one(Object doc, @Nullable String index, Lookup common, Shown shown) {
    if (!(doc instanceof Map<?, ?> map)) {
      throw new ApiException(
          ErrorBody.illegalArgument("docs array element should include an object"));
    }
    for (Object field : map.keySet()) {
      if (!FIELDS.contains(String.valueOf(field))) {
        throw new ApiException(
            400,
            "parse_exception",
            "failed to parse multi get request. unknown field [" + field + "]");
      }
    }
    SourceFilter ownSource = SourceParameters.of(map.get("_source"));
    Set<String> ownFields = StoredFields.of(map.get("stored_fields"));
    Set<String> fields = ownFields == null ? shown.fields() : ownFields;
    String routing = text(map, "routing");
    String version = text(map, "version");
    var _ = Versions.type(text(map, "version_type"));
    String name = text(map, "_index");
    String id = text(map, "_id");
    return new Wanted(
        name == null ? (index == null ? "" : index) : name,
        new Lookup(
            id == null ? "" : id,
            routing == null ? common.routing() : routing,
            common.manner(),
            StoredFields.toRead(fields)),
        version(version),
        StoredFields.source(ownSource == null ? shown.source() : ownSource, fields));
  }

  private static @Nullable String text(Map<?, ?> map, String field) {
    Object value = map.get(field);
    return value == null ? null : value.toString();
  }

  private List<Answer> read(List<Wanted> wanted) throws InterruptedException {
    Answer[] answers = new Answer[wanted.size()];
    Map<ShardId, List<Placed>> shards = new LinkedHashMap<>();
    for (int i = 0; i < answers.length; i++) {
      Wanted one = wanted.get(i);
      try {
        DocumentTargets.Found target = reader.target(one.index());
        Lookup lookup = one.lookup().routedBy(target.routing(one.lookup().routing()));
        shards
            .computeIfAbsent(DocumentFetcher.shard(target.index(), lookup), _ -> new ArrayList<>())
            .add(new Placed(i, one, target, lookup));
      } catch (ApiException e) {
        answers[i] = new Answer.Failed(one, e.error());
      }
    }
    parallel.map(
        new ArrayList<>(shards.entrySet()),
        shard -> {
          read(shard.getKey(), shard.getValue(), answers);
          return shard;
        });
    return List.of(answers);
  }

  private void read(ShardId shard, List<Placed> placed, Answer[] answers)
      throws InterruptedException {
    IndexMetadata index = placed.getFirst().target().index();
    List<DocumentFetcher.Answer> read;
    try {
      read = reader.read(index, shard, placed.stream().map(Placed::lookup).toList());
    } catch (ApiException e) {
      read = Collections.nCopies(placed.size(), new DocumentFetcher.Answer.Failed(e.error()));
    }
    for (int i = 0; i < placed.size(); i++) {
      answers[placed.get(i).position()] = answer(placed.get(i), read.get(i));
    }
  }

  private static Answer answer(Placed placed, DocumentFetcher.Answer read) {
    return switch (read) {
      case DocumentFetcher.Answer.Failed(var error) -> new Answer.Failed(placed.wanted(), error);
      case DocumentFetcher.Answer.Read(var result) -> {
        try {
          GetEndpoint.checkVersion(
              placed.target(), placed.lookup(), result, placed.wanted().version());
          yield new Answer.Read(placed.target().index(), placed.wanted(), result);
        } catch (ApiException e) {
          yield new Answer.Failed(placed.wanted(), e.error());
        }
      }
    };
  }

  private static void write(JsonGenerator out, List<Answer> answers) {
    out.writeStartObject();
    out.writeName("docs");
    out.writeStartArray();
    for (Answer answer : answers) {
      switch (answer) {
        case Answer.Read(var index, var wanted, var result) ->
            GetJson.write(out, index, result, wanted.filter());
        case Answer.Failed(var wanted, var error) -> {
          out.writeStartObject();
          out.writeStringProperty("_index", wanted.index());
          out.writeStringProperty("_id", wanted.lookup().id());
          out.writeName("error");
          out.writePOJO(ErrorBodies.response(error, null).get("error"));
          out.writeEndObject();
        }
      }
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static long version(@Nullable String version) {
    if (version == null) {
      return WriteItem.UNASSIGNED;
    }
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("Failed to parse [version] with value [" + version + "]"));
    }
  }

  private static Object notNull(@Nullable Object id) {
    if (id == null) {
      throw new ApiException(ErrorBody.illegalArgument("ids must not contain null"));
    }
    return id;
  }
}
