package io.varve.coordinator.rest.byquery;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.RecordOperations;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the list of operations in the body of {@code _rereplicate}: {@code "read"}, {@code
 * "touch"}, and at most one {@code {"update":{"doc":{…}}}}.
 */
final class RecordOperationsBody {

  private static final String NAME = "[operations] ";

  private RecordOperationsBody() {}

  static RecordOperations parse(@Nullable Object list) {
    if (!(list instanceof List<?> operations) || operations.isEmpty()) {
      throw refused("must be a list of at least one of [read, touch, update]");
    }
    boolean touch = false;
    String doc = null;
    for (Object operation : operations) {
      switch (operation) {
        case String name when name.equals("read") -> {
          // Every record is proven before any other operation on it.
        }
        case String name when name.equals("touch") -> touch = true;
        case Map<?, ?> map when map.size() == 1 && map.containsKey("update") -> {
          if (doc != null) {
            throw refused("must have at most one [update]");
          }
          doc = doc(map.get("update"));
        }
        case null, default -> throw refused("has an unknown operation [" + operation + "]");
      }
    }
    return new RecordOperations(touch, doc);
  }

  private static String doc(@Nullable Object update) {
    if (update instanceof Map<?, ?> map
        && map.size() == 1
        && map.get("doc") instanceof Map<?, ?> doc) {
      return new String(Json.write(doc), StandardCharsets.UTF_8);
    }
    throw refused("needs an object [doc] in [update], and nothing else");
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(NAME + reason));
  }
}
