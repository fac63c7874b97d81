package io.varve.coordinator.security;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The fields of a body; unknown fields and fields of another type are refused. */
final class RequestFields {

  private final Map<?, ?> fields;

  private RequestFields(Map<?, ?> fields) {
    this.fields = fields;
  }

  static RequestFields of(RestRequest request, Set<String> known) {
    if (!request.hasBody()) {
      throw new ApiException(400, "parse_exception", "request body is required");
    }
    return of(request.bodyAsMap(), known);
  }

  static RequestFields of(Map<?, ?> fields, Set<String> known) {
    for (Object name : fields.keySet()) {
      if (!known.contains(String.valueOf(name))) {
        throw refused("unknown field [" + name + "]");
      }
    }
    return new RequestFields(fields);
  }

  static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /** Returns the value; a value that its constructor refuses causes 400. */
  static <T> T valid(Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  /** Empty if it is missing. */
  String text(String name) {
    return switch (fields.get(name)) {
      case null -> "";
      case String text -> text;
      default -> throw refused("[" + name + "] must be a text");
    };
  }

  List<String> texts(String name) {
    return switch (fields.get(name)) {
      case null -> List.of();
      case List<?> list when list.stream().allMatch(String.class::isInstance) ->
          list.stream().map(String.class::cast).toList();
      default -> throw refused("[" + name + "] must be a list of texts");
    };
  }

  Map<String, String> textMap(String name) {
    Map<String, String> texts = new TreeMap<>();
    switch (fields.get(name)) {
      case null -> {}
      case Map<?, ?> map ->
          map.forEach((key, value) -> {
            if (!(value instanceof String text)) {
              throw refused("[" + name + "." + key + "] must be a text");
            }
            texts.put(String.valueOf(key), text);
          });
      default -> throw refused("[" + name + "] must be an object");
    }
    return texts;
  }

  /** The objects of a list, each with these fields only. */
  List<RequestFields> objects(String name, Set<String> known) {
    List<RequestFields> objects = new ArrayList<>();
    switch (fields.get(name)) {
      case null -> {}
      case List<?> list -> {
        for (Object one : list) {
          if (!(one instanceof Map<?, ?> map)) {
            throw refused("[" + name + "] must be a list of objects");
          }
          objects.add(of(map, known));
        }
      }
      default -> throw refused("[" + name + "] must be a list of objects");
    }
    return objects;
  }

  /** A field of OpenSearch that this version does not support. */
  void requireEmpty(String name, String why) {
    boolean empty =
        switch (fields.get(name)) {
          case null -> true;
          case String text -> text.isEmpty();
          case List<?> list -> list.isEmpty();
          case Map<?, ?> map -> map.isEmpty();
          default -> false;
        };
    if (!empty) {
      throw refused("[" + name + "] is not supported: " + why);
    }
  }
}
