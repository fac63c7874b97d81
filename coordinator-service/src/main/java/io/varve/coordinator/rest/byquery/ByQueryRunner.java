package io.varve.coordinator.rest.byquery;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.coordinator.rest.search.HitPages;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.process.Parallel;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Runs a {@link ByQuery} as one worker, or as parallel slices, each of which is a task. */
final class ByQueryRunner {

  private static final int MOST_SLICES = 20;

  private final ClusterAccess cluster;
  private final HitPages.Source source;
  private final InnerWrites writes;
  private final Tasks tasks;
  private final Parallel parallel;

  ByQueryRunner(
      ClusterAccess cluster,
      HitPages.Source source,
      InnerWrites writes,
      Tasks tasks,
      Parallel parallel) {
    this.cluster = cluster;
    this.source = source;
    this.writes = writes;
    this.tasks = tasks;
    this.parallel = parallel;
  }

  /** A response with its status. */
  record Answer(int status, Map<String, Object> json) {}

  private record Part(Worker worker, Throttle throttle, Task task) {}

  Answer run(ByQuery query, Task task) throws InterruptedException {
    long began = cluster.clock().nanos();
    List<Part> parts = parts(query, task);
    task.shows(() -> status(query, parts));
    task.goesAt(perSecond -> parts.forEach(part -> part.throttle.change(perSecond / parts.size())));
    List<Worker.End> ends = ends(parts, task);
    if (query.options().refresh()) {
      refresh(ends);
    }
    return answer(query, task, parts, ends, (cluster.clock().nanos() - began) / 1_000_000);
  }

  private List<Part> parts(ByQuery query, Task task) {
    long max = query.options().maxDocs();
    int slices = sliceCount(query);
    if (slices == 1) {
      return List.of(part(query, null, max, 1, task));
    }
    List<Part> parts = new ArrayList<>();
    TaskKind kind = new TaskKind(query.operation().action(), query.description(), true);
    for (int i = 0; i < slices; i++) {
      long share = max / slices + (i < max % slices ? 1 : 0);
      parts.add(
          part(query, new Slice(null, i, slices), share, slices, tasks.beginPart(task, kind)));
    }
    return parts;
  }

  /**
   * Returns the number of slices: by default one per shard, but never more than the documents to
   * write.
   */
  private int sliceCount(ByQuery query) {
    int requested = query.options().slices();
    if (requested != ByQuery.Options.AUTO) {
      return requested;
    }
    if (query.found().slice() != null) {
      return 1;
    }
    int shards = Math.min(MOST_SLICES, source.fewestShards(query.found().where()));
    return (int) Math.min(query.options().maxDocs(), shards);
  }

  private Part part(ByQuery query, @Nullable Slice slice, long maxDocs, int parts, Task task) {
    Throttle throttle = new Throttle(query.options().perSecond() / parts, cluster.clock());
    return new Part(new Worker(query, slice, maxDocs, task, throttle), throttle, task);
  }

  /**
   * Runs all slices and returns their results. A failed slice does not stop the others; the
   * operation fails if all slices fail.
   */
  private List<Worker.End> ends(List<Part> parts, Task whole) throws InterruptedException {
    Queue<ApiException> failed = new ConcurrentLinkedQueue<>();
    List<Worker.End> ends =
        parallel.map(
            parts,
            part -> {
              try {
                return part.worker.run(source, writes);
              } catch (ApiException e) {
                if (part.task.cancelled()) {
                  // A cancelled slice is not a failure: the response reports the cancellation.
                  return part.worker.end();
                }
                failed.add(e);
                return part.worker.endBy(e.error());
              } finally {
                if (!part.task.id().equals(whole.id())) {
                  tasks.end(part.task);
                }
              }
            });
    ApiException first = failed.peek();
    if (first != null && failed.size() == parts.size()) {
      throw first;
    }
    return ends;
  }

  private void refresh(List<Worker.End> ends) throws InterruptedException {
    ClusterState state = cluster.state();
    Set<IndexMetadata> indices = new LinkedHashSet<>();
    for (Worker.End end : ends) {
      for (String name : end.indices()) {
        DocumentTargets.toWrite(state, name).ifPresent(found -> indices.add(found.index()));
      }
    }
    writes.refresh(indices);
  }

  private static Map<String, Object> status(ByQuery query, List<Part> parts) {
    List<ByQueryStatus> tallies = parts.stream().map(part -> part.worker.tally()).toList();
    Map<String, Object> status = sum(tallies).json(query.operation());
    status.putAll(query.before().json());
    if (tallies.size() > 1) {
      status.put("slices", slices(query, tallies));
    }
    return status;
  }

  private static ByQueryStatus sum(List<ByQueryStatus> tallies) {
    ByQueryStatus sum = tallies.getFirst();
    for (ByQueryStatus tally : tallies.subList(1, tallies.size())) {
      sum = sum.plus(tally);
    }
    return sum;
  }

  private static List<Map<String, Object>> slices(ByQuery query, List<ByQueryStatus> tallies) {
    List<Map<String, Object>> slices = new ArrayList<>();
    for (int i = 0; i < tallies.size(); i++) {
      Map<String, Object> slice = new LinkedHashMap<>();
      slice.put("slice_id", i);
      slice.putAll(tallies.get(i).json(query.operation()));
      slices.add(slice);
    }
    return slices;
  }

  private static Answer answer(
      ByQuery query, Task task, List<Part> parts, List<Worker.End> ends, long tookMillis) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("took", tookMillis);
    json.put("timed_out", ends.stream().anyMatch(Worker.End::timedOut));
    json.putAll(status(query, parts));
    if (task.cancelled()) {
      json.put("canceled", "by user request");
    }
    json.put("failures", ends.stream().flatMap(end -> end.failures().stream()).toList());
    int status = ends.stream().mapToInt(Worker.End::status).max().orElse(200);
    return new Answer(status, json);
  }
}
