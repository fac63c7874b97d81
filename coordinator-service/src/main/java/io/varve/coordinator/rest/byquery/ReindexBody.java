package io.varve.coordinator.rest.byquery;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem.VersionType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The body of {@code _reindex}. */
record ReindexBody(Source source, Dest dest, ByQueryParameters.BodyValues requested) {

  private static final Set<String> KEYS = Set.of("source", "dest", "max_docs", "size", "conflicts");
  private static final Set<String> SOURCE_KEYS =
      Set.of("index", "query", "_source", "sort", "slice", "size");
  private static final Set<String> DEST_KEYS =
      Set.of("index", "op_type", "version_type", "routing", "pipeline");

  /** The search whose hits are copied, without its size. */
  record Source(String expression, Map<String, Object> search, @Nullable Integer batch) {}

  /** The destination index, and the way documents are written to it. */
  record Dest(String index, boolean create, VersionType versionType, String routing) {

    /** The value is {@code keep}, {@code discard} or {@code =text}. */
    @Nullable String routing(@Nullable String ofHit) {
      return switch (routing) {
        case "keep" -> ofHit;
        case "discard" -> null;
        default -> routing.substring(1);
      };
    }
  }

  static ReindexBody parse(Map<String, Object> body) {
    if (body.containsKey("script")) {
      throw illegal("[script] is not supported: there is no script engine");
    }
    refuseOthers("reindex", body, KEYS);
    List<String> problems = new ArrayList<>();
    Map<String, Object> source = object(body, "source");
    Map<String, Object> dest = object(body, "dest");
    if (source.containsKey("remote")) {
      throw illegal(
          "[remote] is not supported: follow another cluster with _plugins/_replication instead");
    }
    refuseOthers("source", source, SOURCE_KEYS);
    refuseOthers("dest", dest, DEST_KEYS);
    String from = expression(source.get("index"));
    if (from.isEmpty()) {
      problems.add("use _all if you really want to copy from all existing indexes");
    }
    String to = text(dest, "index", "");
    if (to.isEmpty()) {
      problems.add("index is missing");
    }
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    Object maxDocs = body.get("max_docs");
    Object conflicts = body.get("conflicts");
    Integer batch = batch(source.get("size"));
    Map<String, Object> search = new LinkedHashMap<>(source);
    search.remove("index");
    search.remove("size");
    return new ReindexBody(
        new Source(from, search, batch),
        dest(to, dest),
        new ByQueryParameters.BodyValues(
            conflicts == null ? null : conflicts.toString(),
            maxDocs == null ? body.get("size") : maxDocs,
            batch));
  }

  private static Dest dest(String index, Map<String, Object> dest) {
    String pipeline = text(dest, "pipeline", "_none");
    if (!pipeline.equals("_none")) {
      throw illegal("pipeline with id [" + pipeline + "] does not exist");
    }
    String opType = text(dest, "op_type", "index");
    if (!opType.equals("index") && !opType.equals("create")) {
      throw illegal("opType must be 'create' or 'index', found: [" + opType + "]");
    }
    String routing = text(dest, "routing", "keep");
    if (!routing.equals("keep") && !routing.equals("discard") && !routing.startsWith("=")) {
      throw new ApiException(
          ErrorBodies.validation(
              List.of("routing must be unset, [keep], [discard] or [=<some new value>]")));
    }
    VersionType versionType =
        switch (text(dest, "version_type", "internal")) {
          case "internal" -> VersionType.INTERNAL;
          case "external", "external_gt" -> VersionType.EXTERNAL;
          case "external_gte" -> VersionType.EXTERNAL_GTE;
          default -> throw illegal("No version type match [" + dest.get("version_type") + "]");
        };
    return new Dest(index, opType.equals("create"), versionType, routing);
  }

  private static @Nullable Integer batch(@Nullable Object size) {
    return switch (size) {
      case null -> null;
      case Number number -> number.intValue();
      default -> throw illegal("[size] must be a number but was [" + size + "]");
    };
  }

  private static String expression(@Nullable Object index) {
    return switch (index) {
      case null -> "";
      case List<?> several ->
          several.stream().map(String::valueOf).collect(Collectors.joining(","));
      default -> index.toString();
    };
  }

  private static String text(Map<String, Object> fields, String name, String whenMissing) {
    Object value = fields.get(name);
    return value == null ? whenMissing : value.toString();
  }

  private static Map<String, Object> object(Map<String, Object> body, String name) {
    return switch (body.get(name)) {
      case null -> Map.of();
      case Map<?, ?> map -> {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((key, value) -> fields.put(String.valueOf(key), value));
        yield fields;
      }
      default ->
          throw new ApiException(
              400, "x_content_parse_exception", "[reindex] " + name + " doesn't support values");
    };
  }

  private static void refuseOthers(String owner, Map<String, Object> fields, Set<String> known) {
    for (String key : fields.keySet()) {
      if (!known.contains(key)) {
        throw new ApiException(
            400, "x_content_parse_exception", "[" + owner + "] unknown field [" + key + "]");
      }
    }
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
