package io.varve.shard.http;

import io.varve.engine.Matching;
import io.varve.events.Json;
import io.varve.host.ShardCopy;
import io.varve.host.http.ShardEndpoint;
import io.varve.host.http.ShardEndpoints;
import io.varve.http.internal.Bodies;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationWork;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.replicated.ReplicationWatch;
import io.varve.shard.replicated.RereplicationSteps;
import io.varve.shard.replicated.StrongRecords;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The replication states of the records of a primary of a strongly consistent index: {@code GET
 * replication} returns those of all records, {@code POST replication-states} those of the versions
 * in the body, and {@code POST rereplicate} executes a step of a job that proves records.
 */
public final class ReplicationEndpoints implements ShardEndpoints {

  private static final Duration CHECKPOINT_TIMEOUT = Duration.ofSeconds(30);

  /** Selects the documents of a copy that a query matches. */
  @FunctionalInterface
  public interface Queries {
    Matching matching(ShardCopy copy, @Nullable String query, long nowMillis);
  }

  private final Queries queries;
  private final Duration writeTimeout;

  /**
   * @param writeTimeout for each bulk of a job that writes
   */
  public ReplicationEndpoints(Queries queries, Duration writeTimeout) {
    this.queries = queries;
    this.writeTimeout = writeTimeout;
  }

  @Override
  public Map<String, ShardEndpoint> byName() {
    return Map.of(
        "GET replication",
        (copy, _, _, response) -> Bodies.sendJson(response, watch(copy).report()),
        "POST replication-states",
        ReplicationEndpoints::states,
        "POST rereplicate",
        this::step);
  }

  private static void states(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HoldsWire.Question question = HoldsWire.decodeQuestion(Bodies.read(request));
    Bodies.sendJson(response, watch(copy).states(question.versions()));
  }

  private void step(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    PrimaryCopy primary = primary(copy);
    RereplicationSteps steps = records(copy).steps();
    String job = Bodies.required(request, "job");
    String step = Bodies.required(request, "step");
    Object answer =
        switch (step) {
          case "begin" -> steps.begin(job(primary, job, request));
          case "keep" -> steps.keep(job);
          case "end" -> steps.end(job);
          case "walk" -> steps.walk(job(primary, job, request), position(request));
          case "prove" ->
              steps.prove(job, HoldsWire.decodeQuestion(Bodies.read(request)).versions());
          case "checkpoint" -> steps.checkpoint(job(primary, job, request), CHECKPOINT_TIMEOUT);
          default ->
              throw new ApiException(ErrorBody.illegalArgument("unknown step [" + step + "]"));
        };
    Bodies.sendJson(response, answer);
  }

  private RereplicationSteps.Job job(PrimaryCopy copy, String id, HttpServletRequest request)
      throws IOException {
    RereplicationWork work = Json.read(Bodies.read(request), RereplicationWork.class);
    return new RereplicationSteps.Job(
        id,
        work,
        queries.matching(copy, work.query(), work.nowMillis()),
        items -> copy.write(copy.term(), items, writeTimeout));
  }

  private static RereplicationPosition position(HttpServletRequest request) {
    return new RereplicationPosition(
        Bodies.requiredLong(request, "term"),
        Bodies.required(request, "incarnation"),
        Bodies.requiredLong(request, "next_seq_no"),
        Bodies.requiredLong(request, "end_seq_no"));
  }

  private static ReplicationWatch watch(ShardCopy copy) {
    return records(copy).watch();
  }

  private static StrongRecords records(ShardCopy copy) {
    return primary(copy).strongRecords().orElseThrow(() -> notStarted(copy));
  }

  private static ApiException notStarted(ShardCopy copy) {
    return new ApiException(
        503,
        ReadDemand.NOT_STARTED_TYPE,
        "the primary of " + copy.shard() + " is " + copy.state() + " or not strong");
  }

  private static PrimaryCopy primary(ShardCopy copy) {
    if (copy instanceof PrimaryCopy primary) {
      return primary;
    }
    throw new ApiException(
        409, "stale_primary_exception", "this copy of " + copy.shard() + " is not its primary");
  }
}
