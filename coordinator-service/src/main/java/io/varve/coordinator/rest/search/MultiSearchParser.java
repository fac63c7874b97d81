package io.varve.coordinator.rest.search;

import io.varve.events.Json;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Parses the body of a multi-search, in which lines with headers and lines with searches alternate.
 * A header contains the parameters of a search's URL; an empty object or a blank line selects the
 * defaults.
 */
final class MultiSearchParser {

  /** One search of a multi-search. */
  record Item(SearchRequest request, SearchOptions searchOptions) {}

  private static final Set<String> HEADER =
      Set.of(
          "index",
          "search_type",
          "preference",
          "routing",
          "allow_no_indices",
          "ignore_unavailable",
          "ignore_throttled",
          "expand_wildcards",
          "request_cache",
          "allow_partial_search_results",
          "ccs_minimize_roundtrips",
          "cancel_after_time_interval");

  private final Map<String, String> defaults;

  /**
   * @param defaults the values of parameters that a header does not set
   */
  MultiSearchParser(Map<String, String> defaults) {
    this.defaults = defaults;
  }

  List<Item> parse(byte[] body) {
    List<byte[]> lines = lines(body);
    List<Item> items = new ArrayList<>();
    for (int i = 0; i + 1 < lines.size(); i += 2) {
      items.add(item(lines.get(i), lines.get(i + 1)));
    }
    if (lines.size() % 2 != 0) {
      throw illegal("the last header of the multi-search has no search");
    }
    return items;
  }

  private Item item(byte[] headerLine, byte[] searchLine) {
    RestRequest url =
        new RestRequest(RestMethod.POST, "/_msearch", parameters(headerLine), new byte[0]);
    SearchOptions searchOptions = SearchOptions.of(url);
    SearchRequest request = SearchRequest.parse(searchLine, Map.of());
    return new Item(Searches.checked(request, searchOptions), searchOptions);
  }

  private Map<String, String> parameters(byte[] headerLine) {
    Map<String, String> parameters = new LinkedHashMap<>(defaults);
    if (headerLine.length == 0) {
      return parameters;
    }
    Map<String, Object> header =
        Json.mapper().readValue(headerLine, new TypeReference<Map<String, Object>>() {});
    if (header == null) {
      throw illegal("the header of a search must be an object");
    }
    header.forEach((name, value) -> {
      String full = name.equals("indices") ? "index" : name;
      if (!HEADER.contains(full)) {
        throw illegal("key [" + name + "] is not supported in the metadata section");
      }
      String text = text(value);
      if (text != null) {
        parameters.put(full, text);
      }
    });
    return parameters;
  }

  private static @Nullable String text(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case List<?> several ->
          several.stream().map(String::valueOf).collect(Collectors.joining(","));
      default -> value.toString();
    };
  }

  private static List<byte[]> lines(byte[] body) {
    if (body.length == 0) {
      throw new ApiException(400, "parse_exception", "request body is required");
    }
    if (body[body.length - 1] != '\n') {
      throw illegal("The msearch request must be terminated by a newline [\n]");
    }
    List<byte[]> lines = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < body.length; i++) {
      if (body[i] == '\n') {
        int to = i > from && body[i - 1] == '\r' ? i - 1 : i;
        lines.add(Arrays.copyOfRange(body, from, to));
        from = i + 1;
      }
    }
    return lines;
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
