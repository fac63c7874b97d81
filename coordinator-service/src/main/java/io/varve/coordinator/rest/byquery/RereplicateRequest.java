package io.varve.coordinator.rest.byquery;

import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of {@code _rereplicate}.
 *
 * @param slices shards that are worked on at a time; {@link ByQuery.Options#AUTO} for all
 */
record RereplicateRequest(
    Method method, float perSecond, int slices, @Nullable String resume, boolean waits) {

  /** How records are proven to be replicated. */
  enum Method {
    /** The primaries ask the copies for each record by id. */
    PEEK,
    /** The copies say how far they are. */
    CHECKPOINT;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final List<String> LATER = List.of("touch", "statement", "execute");

  static RereplicateRequest of(RestRequest request) {
    Method method = method(request.param("method", "peek"));
    request.bodyAsMap().keySet().stream()
        .findFirst()
        .ifPresent(key -> {
          throw refused("[" + key + "] is not supported by method [" + method.text() + "]");
        });
    if (method == Method.CHECKPOINT) {
      return checkpoint(request);
    }
    return new RereplicateRequest(
        method,
        ByQueryParameters.perSecond(request.param("requests_per_second")),
        ByQueryParameters.slices(request.param("slices", "auto")),
        request.param("resume"),
        request.flag("wait_for_completion", true));
  }

  private static RereplicateRequest checkpoint(RestRequest request) {
    String verify = request.param("verify");
    if (verify != null) {
      throw refused("[verify] is not supported");
    }
    return new RereplicateRequest(
        Method.CHECKPOINT,
        Float.POSITIVE_INFINITY,
        ByQuery.Options.AUTO,
        null,
        request.flag("wait_for_completion", true));
  }

  private static Method method(String text) {
    for (Method method : Method.values()) {
      if (method.text().equals(text)) {
        return method;
      }
    }
    throw refused(
        LATER.contains(text)
            ? "[method] [" + text + "] is not supported yet"
            : "[method] must be one of [peek, checkpoint], but was [" + text + "]");
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /** How the job is described in the list of tasks. */
  String describe(String index) {
    return "re-replicate [" + index + "] by [" + method.text() + "]";
  }
}
