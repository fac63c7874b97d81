package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.events.Json;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.RecordOperations;
import io.varve.search.SearchRequest;
import io.varve.search.query.CompoundQuery.TermsLookup;
import io.varve.search.query.FullTextQuery.MoreLikeThis;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters and the body of {@code _rereplicate}.
 *
 * @param records the selection of records, and the operations on them
 * @param resume the token of an earlier job
 * @param care options of the writes of a statement
 */
record RereplicateRequest(
    Method method,
    Records records,
    Pace pace,
    @Nullable String resume,
    boolean waits,
    InnerWrites.@Nullable Care care) {

  /** How records are proven to be replicated. */
  enum Method {
    /** The primaries ask the copies for each record by id. */
    PEEK,
    /** The primaries also write each record again. */
    TOUCH,
    /** A search finds the records, and the coordinator has the operations executed. */
    STATEMENT,
    /** The primaries execute the operations on each record. */
    EXECUTE,
    /** The copies report their positions. */
    CHECKPOINT;

    /** Whether the body may have that key. */
    private boolean takes(String key) {
      return switch (this) {
        case PEEK, TOUCH -> key.equals("query");
        case STATEMENT, EXECUTE -> key.equals("query") || key.equals("operations");
        case CHECKPOINT -> false;
      };
    }

    private RecordOperations operations(Map<String, Object> body) {
      return switch (this) {
        case PEEK, CHECKPOINT -> RecordOperations.READ;
        case TOUCH -> RecordOperations.TOUCH;
        case STATEMENT, EXECUTE -> RecordOperationsBody.parse(body.get("operations"));
      };
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The records of a job and its operations on them.
   *
   * @param query as JSON; null for all
   * @param proceed whether the job continues after a version conflict
   * @param reships whether followers may receive touched records again
   * @param verify whether a checkpoint compares the copies
   */
  record Records(
      @Nullable String query,
      RecordOperations operations,
      boolean proceed,
      boolean reships,
      boolean verify) {}

  /**
   * Limits of a job.
   *
   * @param perSecond records per second; infinite for no limit
   * @param slices shards that are processed concurrently; {@link ByQuery.Options#AUTO} for all
   */
  record Pace(float perSecond, int slices) {}

  static RereplicateRequest of(RestRequest request) {
    Method method = method(request.param("method", "peek"));
    Map<String, Object> body = request.bodyAsMap();
    for (String key : body.keySet()) {
      if (!method.takes(key)) {
        throw refused("[" + key + "] is not supported by method [" + method.text() + "]");
      }
    }
    Records records = records(method, request, body);
    boolean waits = request.flag("wait_for_completion", true);
    String perSecond = request.param("requests_per_second");
    String slices = request.param("slices");
    String resume = request.param("resume");
    boolean walks = method != Method.CHECKPOINT;
    require(walks || perSecond == null, "requests_per_second", method);
    require(walks || slices == null, "slices", method);
    require((walks && method != Method.STATEMENT) || resume == null, "resume", method);
    return new RereplicateRequest(
        method,
        records,
        new Pace(
            ByQueryParameters.perSecond(perSecond),
            slices == null ? ByQuery.Options.AUTO : ByQueryParameters.slices(slices)),
        resume,
        waits,
        method == Method.STATEMENT ? InnerWrites.Care.of(request) : null);
  }

  private static void require(boolean supported, String parameter, Method method) {
    if (!supported) {
      throw refused("[" + parameter + "] is not supported by method [" + method.text() + "]");
    }
  }

  private static Records records(Method method, RestRequest request, Map<String, Object> body) {
    RecordOperations operations = method.operations(body);
    String conflicts = request.param("conflicts");
    boolean reships = request.flag("allow_reship", false);
    String verify = request.param("verify");
    require(operations.writes() || conflicts == null, "conflicts", method);
    require(operations.touch() || !reships, "allow_reship", method);
    require(method == Method.CHECKPOINT || verify == null, "verify", method);
    if (verify != null && !verify.equals("digest")) {
      throw refused("[verify] must be [digest], but was [" + verify + "]");
    }
    Object query = body.get("query");
    String json = query == null ? null : new String(Json.write(query), StandardCharsets.UTF_8);
    if (json != null) {
      check(method, json);
    }
    return new Records(
        json,
        operations,
        conflicts == null || ByQueryParameters.proceed(conflicts),
        reships,
        verify != null);
  }

  /** A primary can't read the documents of other shards to which a query refers. */
  private static void check(Method method, String query) {
    byte[] search = ("{\"query\":" + query + "}").getBytes(StandardCharsets.UTF_8);
    SearchRequest parsed = SearchRequest.parse(search, Map.of());
    if (method == Method.STATEMENT) {
      return;
    }
    parsed.forEachQuery(part -> {
      if (part instanceof TermsLookup
          || (part instanceof MoreLikeThis like && !like.likeDocuments().isEmpty())) {
        throw refused("[query] refers to other documents, which only method [statement] supports");
      }
    });
  }

  private static Method method(String text) {
    return Arrays.stream(Method.values())
        .filter(method -> method.text().equals(text))
        .findFirst()
        .orElseThrow(() ->
            refused(
                Arrays.stream(Method.values())
                    .map(Method::text)
                    .collect(
                        Collectors.joining(
                            ", ", "[method] must be one of [", "], but was [" + text + "]"))));
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  /** How the job is described in the list of tasks. */
  String describe(String index) {
    return "re-replicate [" + index + "] by [" + method.text() + "]";
  }
}
