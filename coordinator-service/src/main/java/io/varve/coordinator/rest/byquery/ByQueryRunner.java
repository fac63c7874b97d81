package io.varve.coordinator.rest.byquery;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.coordinator.rest.Parallel;
import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.coordinator.rest.search.HitPages;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.TaskKind;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.rpc.ApiException;
import io.varve.search.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs a {@link ByQuery}: in one part, or in slices side by side, each of which is a task. */
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

  /** An answer and its status. */
  record Answer(int status, Map<String, Object> json) {}

  private record Part(Worker worker, Throttle throttle, Task task) {}

  Answer run(ByQuery query, Task task) throws InterruptedException {
    long began = System.nanoTime();
    List<Part> parts = parts(query, task);
    task.shows(() -> status(query, parts));
    task.goesAt(perSecond -> parts.forEach(part -> part.throttle.change(perSecond / parts.size())));
    List<Worker.End> ends = parallel.map(parts, part -> run(part, task));
    if (query.course().refresh()) {
      refresh(ends);
    }
    return answer(query, task, parts, ends, (System.nanoTime() - began) / 1_000_000);
  }

  private List<Part> parts(ByQuery query, Task task) {
    int slices = query.course().slices();
    if (slices == 0) {
      slices =
          query.found().slice() == null
              ? Math.min(MOST_SLICES, source.fewestShards(query.found().where()))
              : 1;
    }
    if (slices <= 1) {
      return List.of(part(query, null, query.course().maxDocs(), 1, task));
    }
    List<Part> parts = new ArrayList<>();
    TaskKind kind = new TaskKind(query.operation().action(), query.description(), true);
    for (int i = 0; i < slices; i++) {
      long max = query.course().maxDocs();
      long share = max == 0 ? 0 : max / slices + (i < max % slices ? 1 : 0);
      parts.add(
          part(query, new Slice(null, i, slices), share, slices, tasks.beginPart(task, kind)));
    }
    return parts;
  }

  private static Part part(
      ByQuery query, @Nullable Slice slice, long maxDocs, int parts, Task task) {
    Throttle throttle = new Throttle(query.course().perSecond() / parts);
    return new Part(new Worker(query, slice, maxDocs, task, throttle), throttle, task);
  }

  private Worker.End run(Part part, Task whole) throws InterruptedException {
    try {
      return part.worker.run(source, writes);
    } catch (ApiException e) {
      if (part.task.cancelled()) {
        // What was cut short is no failure: the answer says that it was cancelled.
        return new Worker.End(List.of(), Set.of(), false, 200);
      }
      throw e;
    } finally {
      if (!part.task.id().equals(whole.id())) {
        tasks.end(part.task);
      }
    }
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
    List<Tally> tallies = parts.stream().map(part -> part.worker.tally()).toList();
    Map<String, Object> status = sum(tallies).json(query.operation());
    if (tallies.size() > 1) {
      status.put("slices", slices(query, tallies));
    }
    return status;
  }

  private static Tally sum(List<Tally> tallies) {
    Tally sum = tallies.getFirst();
    for (Tally tally : tallies.subList(1, tallies.size())) {
      sum = sum.plus(tally);
    }
    return sum;
  }

  private static List<Map<String, Object>> slices(ByQuery query, List<Tally> tallies) {
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
