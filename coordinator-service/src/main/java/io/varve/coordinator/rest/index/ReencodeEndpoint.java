package io.varve.coordinator.rest.index;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestMethod;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.Reencoded;
import io.varve.text.ByteValues;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code _reencode}: copies that write their own segments rewrite, one after another, the segments
 * whose encoding differs from the index's settings; SEGMENT replicas get the files from their
 * primary as after any merge.
 *
 * <p>The rate of each copy is read from the cluster settings before each segment. If the task is
 * cancelled, segments that are being rewritten remain unchanged, and completed segments remain
 * rewritten.
 */
public final class ReencodeEndpoint implements RestEndpoint {

  /** Timeout of one segment. */
  private static final Duration TIMEOUT = Duration.ofHours(12);

  private final ClusterAccess cluster;
  private final ShardClient client;
  private final Parallel parallel;
  private final DetachableWork background;

  public ReencodeEndpoint(
      ClusterAccess cluster, ShardClient client, Parallel parallel, Tasks tasks) {
    this.cluster = cluster;
    this.client = client;
    this.parallel = parallel;
    this.background = new DetachableWork(tasks);
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestMethod.POST, "/{index}/_reencode"));
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.required("index");
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    request.hasBody();
    boolean wait = request.flag("wait_for_completion", true);
    TaskKind kind =
        new TaskKind("indices:admin/reencode", "Re-encode indices [" + expression + "]", true);
    return RestAction.task(
        kind,
        responder ->
            background.run(kind, wait, responder, task -> reencode(expression, options, task)));
  }

  private Map<String, Object> reencode(String expression, IndexOptions options, Task task)
      throws InterruptedException {
    ClusterState state = cluster.state();
    List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
    Progress progress = new Progress();
    task.shows(progress::toMap);
    ShardCounts counts =
        new CopyBroadcast(parallel)
            .ask(state, indices, false, copy -> reencode(copy, task, progress));
    task.check();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("_shards", counts.toMap());
    answer.putAll(progress.toMap());
    return answer;
  }

  private void reencode(CopyAddress copy, Task task, Progress progress)
      throws InterruptedException {
    boolean goesOn = true;
    while (goesOn && !task.cancelled()) {
      ClusterState state = cluster.state();
      Reencoded done =
          client.reencode(
              copy, task.id().toString(), state.version(), bytesPerSecond(state), TIMEOUT);
      progress.add(copy.copy().copyId(), done);
      goesOn = done.left() > 0;
    }
  }

  private static long bytesPerSecond(ClusterState state) {
    String name = ClusterSettings.REENCODE_RATE;
    return ByteValues.parseBytes(name, String.valueOf(ClusterSettings.value(state, name)));
  }

  /** The segments that the copies have rewritten, and those that they reported as remaining. */
  private static final class Progress {

    private final Map<String, Integer> left = new LinkedHashMap<>();
    private long segments;
    private long bytes;

    synchronized void add(String copyId, Reencoded done) {
      segments += done.segments();
      bytes += done.bytes();
      left.put(copyId, done.left());
    }

    synchronized Map<String, Object> toMap() {
      Map<String, Object> shown = new LinkedHashMap<>();
      shown.put("segments", segments);
      shown.put("size_in_bytes", bytes);
      shown.put("segments_left", left.values().stream().mapToInt(Integer::intValue).sum());
      return shown;
    }
  }
}
