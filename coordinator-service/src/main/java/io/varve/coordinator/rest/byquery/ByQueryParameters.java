package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import org.jspecify.annotations.Nullable;

/** Reads the parameters that control how by-query operations run. */
final class ByQueryParameters {

  private static final int DEFAULT_BATCH = 1_000;

  private ByQueryParameters() {}

  /** The values of these parameters in the body. */
  record BodyValues(
      @Nullable String conflicts, @Nullable Object maxDocs, @Nullable Integer batch) {}

  static ByQuery.Options of(RestRequest request, BodyValues body) {
    String conflictsOfUrl = request.param("conflicts");
    boolean proceed = proceed(conflictsOfUrl == null ? body.conflicts() : conflictsOfUrl);
    int batchOfUrl = request.integer("scroll_size", DEFAULT_BATCH);
    int batch = body.batch() == null ? batchOfUrl : body.batch();
    if (batch < 1) {
      throw illegal("[scroll_size] must be greater than 0 but was [" + batch + "]");
    }
    int slices = slices(request.param("slices"));
    long maxDocs = maxDocs(request.param("max_docs"), request.param("size"), body.maxDocs());
    if (maxDocs < slices) {
      throw illegal("[max_docs] should be >= [slices]");
    }
    return new ByQuery.Options(
        proceed,
        maxDocs,
        batch,
        slices,
        perSecond(request.param("requests_per_second")),
        request.param("scroll", "5m"),
        request.flag("refresh", false),
        InnerWrites.Care.of(request));
  }

  static boolean proceed(@Nullable String conflicts) {
    return switch (conflicts) {
      case null -> false;
      case "abort" -> false;
      case "proceed" -> true;
      default ->
          throw illegal(
              "conflicts may only be \"proceed\" or \"abort\" but was [" + conflicts + "]");
    };
  }

  static int slices(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    if (text.equals("auto")) {
      return ByQuery.Options.AUTO;
    }
    try {
      int slices = Integer.parseInt(text);
      if (slices >= 1) {
        return slices;
      }
    } catch (NumberFormatException e) {
      throw illegal(
          "[slices] must be a positive integer or the string \"auto\", but was [" + text + "]");
    }
    throw illegal("[slices] must be at least 1 but was [" + text + "]");
  }

  private static long maxDocs(
      @Nullable String ofUrl, @Nullable String formerName, @Nullable Object ofBody) {
    String url = ofUrl == null ? formerName : ofUrl;
    String body = ofBody == null ? null : ofBody.toString();
    if (url != null && body != null && !url.equals(body)) {
      throw illegal("[max_docs] set to two different values [" + url + "] and [" + body + "]");
    }
    String text = url == null ? body : url;
    if (text == null || text.equals("-1")) {
      return ByQuery.Options.ALL;
    }
    try {
      long maxDocs = Long.parseLong(text);
      if (maxDocs > 0) {
        return maxDocs;
      }
    } catch (NumberFormatException e) {
      throw illegal("Failed to parse int parameter [max_docs] with value [" + text + "]");
    }
    throw illegal("[max_docs] parameter cannot be negative, found [" + text + "]");
  }

  /** Parses a rate; -1 means unlimited. */
  static float perSecond(@Nullable String text) {
    if (text == null) {
      return Float.POSITIVE_INFINITY;
    }
    String refusal =
        "[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.";
    try {
      float perSecond = Float.parseFloat(text);
      if (perSecond == -1) {
        return Float.POSITIVE_INFINITY;
      }
      if (perSecond > 0) {
        return perSecond;
      }
    } catch (NumberFormatException e) {
      throw illegal(refusal);
    }
    throw illegal(refusal);
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
