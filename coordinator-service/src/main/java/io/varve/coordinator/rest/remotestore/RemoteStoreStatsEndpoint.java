package io.varve.coordinator.rest.remotestore;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.CopyStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /_remotestore/stats/{index}[/{shard}]}: the lag of the segment store behind each
 * primary, and the uploads. There are no statistics of a remote translog, which the message log
 * replaces.
 */
public final class RemoteStoreStatsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final CopyReader copies;

  public RemoteStoreStatsEndpoint(ClusterAccess cluster, CopyReader copies) {
    this.cluster = cluster;
    this.copies = copies;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_remotestore/stats/{index}", "/_remotestore/stats/{index}/{shard_id}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    String shard = request.param("shard_id");
    boolean local = request.flag("local", false);
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    return responder -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices =
          IndexResolver.resolve(state, expression, options).stream()
              .filter(index -> IndexSettings.isRemoteBacked(index.settings()))
              .toList();
      Map<String, Map<String, List<Object>>> shown = new LinkedHashMap<>();
      int failed = 0;
      int asked = 0;
      for (CopyReader.Answer<CopyStats> answer : copies.stats(state, indices)) {
        String number = Integer.toString(answer.copy().shard().number());
        if ((shard != null && !shard.equals(number)) || (local && !isHere(answer))) {
          continue;
        }
        asked++;
        CopyStats reported = answer.reported();
        if (reported == null) {
          failed++;
          continue;
        }
        shown
            .computeIfAbsent(answer.index().name(), _ -> new LinkedHashMap<>())
            .computeIfAbsent(number, _ -> new ArrayList<>())
            .add(copy(answer, reported));
      }
      Map<String, Object> byIndex = new LinkedHashMap<>();
      shown.forEach((index, shards) -> byIndex.put(index, object("shards", shards)));
      responder.json(
          200,
          object(
              "_shards",
              object("total", asked, "successful", asked - failed, "failed", failed),
              "indices",
              byIndex));
    };
  }

  private boolean isHere(CopyReader.Answer<CopyStats> answer) {
    return answer.copy().node().nodeId().equals(cluster.localNodeId());
  }

  private static Map<String, Object> copy(CopyReader.Answer<CopyStats> answer, CopyStats reported) {
    return object(
        "routing",
        object(
            "state", "STARTED",
            "primary", answer.primary(),
            "node", answer.copy().node().nodeId()),
        "segment",
        object("download", object(), "upload", upload(reported.kept().uploads())),
        "translog",
        object("upload", object(), "download", object()));
  }

  private static Map<String, Object> upload(CopyStats.@Nullable Uploads uploads) {
    if (uploads == null) {
      return object();
    }
    CopyStats.Attempts attempts = uploads.attempts();
    CopyStats.UploadBytes bytes = uploads.bytes();
    Map<String, Object> shown =
        object(
            "local_refresh_timestamp_in_millis", uploads.publishedMillis(),
            "remote_refresh_timestamp_in_millis", uploads.storedMillis(),
            "refresh_time_lag_in_millis", uploads.millisLag(),
            "refresh_lag", uploads.lag().manifests(),
            "bytes_lag", uploads.bytesLag(),
            "backpressure_rejection_count", uploads.lag().rejections(),
            "consecutive_failure_count", attempts.inARow());
    shown.put(
        "total_uploads",
        object(
            "started", attempts.succeeded() + attempts.failed(),
            "succeeded", attempts.succeeded(),
            "failed", attempts.failed()));
    shown.put(
        "total_upload_size",
        object(
            "started_bytes", bytes.succeeded() + bytes.failed(),
            "succeeded_bytes", bytes.succeeded(),
            "failed_bytes", bytes.failed()));
    shown.put(
        "remote_refresh_size_in_bytes",
        object("last_successful", bytes.last(), "moving_avg", uploads.averages().bytes()));
    shown.put(
        "remote_refresh_latency_in_millis", object("moving_avg", uploads.averages().millis()));
    shown.put(
        "upload_speed_in_bytes_per_sec", object("moving_avg", uploads.averages().bytesPerSecond()));
    return shown;
  }
}
