package io.varve.coordinator.rest.byquery;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.coordinator.rest.search.SearchOptions;
import io.varve.coordinator.rest.search.ShardPreference;
import io.varve.coordinator.rest.task.Task;
import io.varve.events.Json;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.WriteItem;
import io.varve.search.hits.IndexHit;
import io.varve.search.hits.ShardHit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A re-replication job by a statement: a search finds the records, its hits are proven page by
 * page, and written by bulks of the coordinator.
 */
final class StatementRun {

  private static final int PAGE = 1_000;
  private static final String KEEP_ALIVE = "5m";

  private final ByQueryRunner runner;
  private final ClaimedShards claimed;
  private final ByQuery query;

  /**
   * @param expression the index or alias that the request names
   */
  StatementRun(
      ByQueryRunner runner,
      ClaimedShards claimed,
      StatementProof proof,
      String expression,
      RereplicateRequest request) {
    this.runner = runner;
    this.claimed = claimed;
    RereplicateRequest.Records records = request.records();
    this.query =
        new ByQuery(
            ByQueryKind.REREPLICATE,
            request.describe(expression),
            found(expression, records),
            hit -> write(records.operations(), hit),
            proof,
            new ByQuery.Options(
                records.proceed(),
                ByQuery.Options.ALL,
                PAGE,
                request.pace().slices(),
                request.pace().perSecond(),
                KEEP_ALIVE,
                false,
                Objects.requireNonNull(request.care())));
  }

  private static ByQuery.Found found(String expression, RereplicateRequest.Records records) {
    Map<String, Object> body = new LinkedHashMap<>();
    String query = records.query();
    if (query != null) {
      byte[] json = query.getBytes(StandardCharsets.UTF_8);
      body.put("query", Json.mapper().readValue(json, Map.class));
    }
    RecordOperations operations = records.operations();
    body.put("_source", operations.touch() && operations.doc() == null);
    SearchOptions.Where where =
        new SearchOptions.Where(expression, IndexOptions.SHOW, null, ShardPreference.NONE);
    return new ByQuery.Found(where, body, Map.of(), null);
  }

  private static InnerWrites.Write write(RecordOperations operations, IndexHit found) {
    ShardHit hit = found.hit();
    WriteItem item =
        operations
            .item(hit.id(), hit.source())
            .routedBy(hit.routing())
            .ifAt(hit.stamp().seqNo(), hit.stamp().primaryTerm());
    return new InnerWrites.Write(found.index(), item);
  }

  ByQueryRunner.Answer run(Task task) throws InterruptedException {
    try {
      ByQueryRunner.Answer answer = runner.run(query, task);
      List<Object> failures = new ArrayList<>((List<?>) answer.json().get("failures"));
      failures.addAll(claimed.failures());
      answer.json().put("failures", failures);
      return answer;
    } finally {
      claimed.release();
    }
  }
}
