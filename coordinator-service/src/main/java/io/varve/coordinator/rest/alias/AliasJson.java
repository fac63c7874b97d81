package io.varve.coordinator.rest.alias;

import io.varve.cluster.AliasMetadata;
import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.JsonValue;
import io.varve.search.query.QueryParser;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts an alias between its JSON and its record. */
public final class AliasJson {

  private AliasJson() {}

  /** Returns the JSON of an alias. */
  public static Map<String, Object> of(AliasMetadata alias) {
    Map<String, Object> json = new LinkedHashMap<>();
    if (alias.filter() != null) {
      json.put("filter", Json.mapper().readValue(alias.filter(), Map.class));
    }
    put(json, "index_routing", alias.indexRouting());
    put(json, "search_routing", alias.searchRouting());
    put(json, "is_write_index", alias.writeIndex());
    put(json, "is_hidden", alias.hidden());
    return json;
  }

  private static void put(Map<String, Object> json, String name, @Nullable Object value) {
    if (value != null) {
      json.put(name, value);
    }
  }

  /** Reads the aliases of an index or of a template: {@code {"a":{…},…}}. */
  public static Map<String, AliasMetadata> readAll(Map<?, ?> aliases) {
    Map<String, AliasMetadata> read = new LinkedHashMap<>();
    aliases.forEach((name, body) -> {
      Builder builder = new Builder(String.valueOf(name));
      if (body instanceof Map<?, ?> fields) {
        fields.forEach((field, value) -> {
          if (!builder.take(String.valueOf(field), value)) {
            throw new ApiException(
                ErrorBody.illegalArgument("Unknown field [" + field + "] in alias [" + name + "]"));
          }
        });
      } else if (body != null) {
        throw new ApiException(
            ErrorBody.illegalArgument("expected an object for alias [" + name + "]"));
      }
      read.put(String.valueOf(name), builder.build());
    });
    return read;
  }

  /** Collects the fields of one alias. */
  static final class Builder {
    private final String name;
    private @Nullable String filter;
    private @Nullable String indexRouting;
    private @Nullable String searchRouting;
    private @Nullable Boolean writeIndex;
    private @Nullable Boolean hidden;

    Builder(String name) {
      this.name = name;
    }

    /** Sets a field; returns false if aliases have no such field. */
    boolean take(String field, @Nullable Object value) {
      switch (field) {
        case "filter" -> filter = filter(value);
        case "routing" -> {
          indexRouting = indexRouting == null ? text(value) : indexRouting;
          searchRouting = searchRouting == null ? text(value) : searchRouting;
        }
        case "index_routing", "indexRouting", "index-routing" -> indexRouting = text(value);
        case "search_routing", "searchRouting", "search-routing" -> searchRouting = text(value);
        case "is_write_index" -> writeIndex = flag(field, value);
        case "is_hidden" -> hidden = flag(field, value);
        default -> {
          return false;
        }
      }
      return true;
    }

    AliasMetadata build() {
      return new AliasMetadata(filter, indexRouting, searchRouting, writeIndex, hidden);
    }

    private static @Nullable String text(@Nullable Object value) {
      return value == null ? null : value.toString();
    }

    private static @Nullable Boolean flag(String field, @Nullable Object value) {
      return switch (value) {
        case null -> null;
        case Boolean flag -> flag;
        case String s when s.equals("true") || s.equals("false") -> Boolean.valueOf(s);
        default ->
            throw new ApiException(
                ErrorBody.illegalArgument(
                    "Failed to parse value ["
                        + value
                        + "] of ["
                        + field
                        + "] as only [true] or [false] are allowed."));
      };
    }

    /** Returns the filter as JSON, after checking that it is a query. */
    private @Nullable String filter(@Nullable Object value) {
      if (value == null) {
        return null;
      }
      if (value instanceof Map<?, ?> map && map.isEmpty()) {
        return null;
      }
      byte[] json = value instanceof String s ? s.getBytes(StandardCharsets.UTF_8) : bytes(value);
      try {
        QueryParser.parse(JsonValue.parseObject(json));
      } catch (ApiException e) {
        throw new ApiException(
            ErrorBody.illegalArgument("failed to parse filter for alias [" + name + "]")
                .causedBy(e.error()));
      }
      return new String(json, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(Object value) {
      return Json.write(value);
    }
  }
}
