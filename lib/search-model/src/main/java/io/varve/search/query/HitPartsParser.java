package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.query.HitExtras.FieldSpec;
import io.varve.search.query.HitExtras.StoredSpec;
import io.varve.search.query.HitsRequest.HitParts;
import io.varve.search.source.SourceFilter;
import io.varve.search.source.SourceParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the requested parts of each hit. URL parameters override the body. */
public final class HitPartsParser {

  private final Fields body;
  private final Map<String, String> parameters;

  public HitPartsParser(Fields body, Map<String, String> parameters) {
    this.body = body;
    this.parameters = parameters;
  }

  public HitParts read() {
    StoredSpec stored = stored();
    JsonValue highlight = body.take("highlight");
    scriptFields();
    return new HitParts(
        source(stored),
        flag("version"),
        flag("seq_no_primary_term"),
        flag("track_scores"),
        new HitExtras(
            flag("explain"),
            specs("fields", false),
            docValues(),
            stored,
            highlight == null ? null : HighlightParser.parse(highlight),
            flag("include_named_queries_score")));
  }

  /** With {@code stored_fields}, the source is returned only if it is named there. */
  private SourceFilter source(StoredSpec stored) {
    JsonValue ofBody = body.take("_source");
    SourceFilter fromUrl = SourceParser.ofUrl(parameters);
    if (!stored.enabled() && (fromUrl != null || ofBody != null)) {
      SourceFilter asked = fromUrl == null ? SourceParser.of(ofBody) : fromUrl;
      if (asked.enabled()) {
        throw new ApiException(
            400,
            "search_exception",
            "[stored_fields] cannot be disabled if [_source] is requested");
      }
    }
    if (fromUrl != null) {
      return fromUrl;
    }
    if (ofBody != null) {
      return SourceParser.of(ofBody);
    }
    boolean without = stored.given() && !stored.names().contains("_source");
    return stored.enabled() && !without ? SourceFilter.ALL : SourceFilter.NONE;
  }

  private StoredSpec stored() {
    String ofUrl = parameters.get("stored_fields");
    boolean given = ofUrl != null || body.object().fields().containsKey("stored_fields");
    List<String> names = new ArrayList<>(body.takeStrings("stored_fields"));
    if (ofUrl != null) {
      names = new ArrayList<>(SourceParser.list(ofUrl));
    }
    if (!names.contains("_none_")) {
      return new StoredSpec(true, given, names);
    }
    if (names.size() > 1) {
      throw new ApiException(ErrorBody.illegalArgument("cannot combine _none_ with other fields"));
    }
    if (flagged("version")) {
      throw new ApiException(
          400, "search_exception", "[stored_fields] cannot be disabled if [version] is requested");
    }
    return new StoredSpec(false, true, List.of());
  }

  private boolean flagged(String name) {
    return body.object().fields().get(name) instanceof Scalar scalar
        && Boolean.TRUE.equals(scalar.value());
  }

  private List<FieldSpec> docValues() {
    String ofUrl = parameters.get("docvalue_fields");
    List<FieldSpec> ofBody = specs("docvalue_fields", true);
    return ofUrl == null
        ? ofBody
        : SourceParser.list(ofUrl).stream().map(name -> new FieldSpec(name, null)).toList();
  }

  /**
   * @param own whether the format {@code use_field_mapping}, from old clients, means none
   */
  private List<FieldSpec> specs(String key, boolean own) {
    List<FieldSpec> specs = new ArrayList<>();
    switch (body.take(key)) {
      case null -> {}
      case Arr array -> array.items().forEach(item -> specs.add(spec(key, item, own)));
      case JsonValue other ->
          throw other.refused("Unknown key for a " + other.token() + " in [" + key + "].");
    }
    return specs;
  }

  private static FieldSpec spec(String key, JsonValue value, boolean own) {
    if (value instanceof Scalar scalar && scalar.value() instanceof String name) {
      return new FieldSpec(name, null);
    }
    if (!(value instanceof Obj object)) {
      throw value.refused("Expected a name or an object in [" + key + "]");
    }
    Fields fields = new Fields(key, object);
    String field = fields.takeString("field");
    String format = fields.takeString("format");
    if (fields.rest().containsKey("include_unmapped")) {
      throw new ApiException(
          ErrorBody.illegalArgument("[include_unmapped] is not offered by Varve"));
    }
    fields.refuseUnknown("fields");
    if (field == null) {
      throw new ApiException(ErrorBody.illegalArgument("Required [field]"));
    }
    return new FieldSpec(field, own && "use_field_mapping".equals(format) ? null : format);
  }

  /** Refuses scripts, but accepts an empty object, which many clients send. */
  private void scriptFields() {
    JsonValue value = body.take("script_fields");
    if (value instanceof Obj object && !object.fields().isEmpty()) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[script_fields] are not offered by Varve, which has no scripts"));
    }
  }

  private boolean flag(String name) {
    boolean ofBody = body.takeBoolean(name, false);
    @Nullable String text = parameters.get(name);
    return switch (text) {
      case null -> ofBody;
      case "true", "" -> true;
      case "false" -> false;
      default ->
          throw new ApiException(
              ErrorBody.illegalArgument(
                  "Failed to parse value [" + text + "] as only [true] or [false] are allowed."));
    };
  }
}
