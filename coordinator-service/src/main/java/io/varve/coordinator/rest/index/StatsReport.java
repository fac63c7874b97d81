package io.varve.coordinator.rest.index;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.rest.JsonObjects;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ShardLeases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The statistics of the copies of some indices. They are read once, then summed as responses
 * require.
 */
public final class StatsReport {

  /** A copy with its sections. */
  public record Copy(
      CopyReader.Answer<CopyStats> answer, CopyStats stats, Map<String, Object> sections) {

    public String nodeId() {
      return answer.copy().node().nodeId();
    }

    public String indexName() {
      return answer.index().name();
    }
  }

  private final ClusterAccess cluster;
  private final ClusterState state;
  private final List<IndexMetadata> indices;
  private final List<CopyReader.Answer<CopyStats>> answers;
  private final Map<String, CopySegments> files = new HashMap<>();
  private final Map<ShardId, ShardLeases> leases = new HashMap<>();
  private final List<Copy> copies = new ArrayList<>();
  private final StatsRequest request;

  private StatsReport(
      ClusterAccess cluster,
      ClusterState state,
      Collection<IndexMetadata> indices,
      List<CopyReader.Answer<CopyStats>> answers,
      StatsRequest request) {
    this.cluster = cluster;
    this.state = state;
    this.indices = List.copyOf(indices);
    this.answers = answers;
    this.request = request;
  }

  public static StatsReport read(
      ClusterAccess cluster,
      ClusterState state,
      Collection<IndexMetadata> indices,
      CopyReader reader,
      StatsRequest request)
      throws InterruptedException {
    StatsReport report =
        new StatsReport(cluster, state, indices, reader.stats(state, indices), request);
    if (request.files().unloaded()) {
      report.countClosed(reader);
    }
    if (request.files().sizes()) {
      for (CopyReader.Answer<CopySegments> answer : reader.segments(state, indices)) {
        answer
            .result()
            .ifPresent(reported -> report.files.put(answer.copy().copy().copyId(), reported));
      }
    }
    if (request.level().equals("shards")) {
      for (CopyReader.Answer<ShardLeases> answer : reader.leases(state, indices)) {
        answer.result().ifPresent(reported -> report.leases.put(answer.copy().shard(), reported));
      }
    }
    report.answers.forEach(answer ->
        answer
            .result()
            .ifPresent(stats ->
                report.copies.add(new Copy(answer, stats, report.sections(answer, stats)))));
    return report;
  }

  /** Adds closed copies, which report no statistics but whose segments are counted. */
  private void countClosed(CopyReader reader) throws InterruptedException {
    List<IndexMetadata> closed = indices.stream().filter(IndexMetadata::closed).toList();
    for (CopyReader.Answer<CopySegments> answer : reader.segments(state, closed)) {
      CopySegments reported = answer.reported();
      if (reported != null) {
        CopyStats stats = StatsJson.resting(reported);
        CopyReader.Answer<CopyStats> as =
            new CopyReader.Answer<>(answer.index(), answer.copy(), stats, null);
        copies.add(
            new Copy(
                as, stats, StatsJson.of(stats, StatsJson.ShardStatus.NONE, reported, request)));
      }
    }
  }

  private Map<String, Object> sections(CopyReader.Answer<CopyStats> answer, CopyStats stats) {
    return StatsJson.of(
        stats, shardStatus(answer), files.get(answer.copy().copy().copyId()), request);
  }

  private StatsJson.ShardStatus shardStatus(CopyReader.Answer<CopyStats> answer) {
    if (!answer.primary()) {
      return StatsJson.ShardStatus.NONE;
    }
    ShardRouting shard = answer.index().shard(answer.copy().shard().number());
    long maxBytes = 0;
    long totalBytes = 0;
    long maxMillis = 0;
    int building = 0;
    for (CopyRouting replica : shard.copies()) {
      if (replica.primary()) {
        continue;
      }
      building += replica.state() == CopyRouting.State.INITIALIZING ? 1 : 0;
      Optional<CopyProgress> progress = cluster.progress(replica.copyId());
      if (replica.started() && progress.isPresent()) {
        maxBytes = Math.max(maxBytes, progress.get().bytesBehind());
        totalBytes += progress.get().bytesBehind();
        maxMillis = Math.max(maxMillis, progress.get().millisBehind());
      }
    }
    return new StatsJson.ShardStatus(
        new StatsJson.SegmentLag(maxBytes, totalBytes, maxMillis), building);
  }

  public List<Copy> copies() {
    return copies;
  }

  /** Returns the number of copies, and how many of the serving copies answered. */
  public ShardCounts counts() {
    ShardCounts counts = new ShardCounts();
    int all = 0;
    for (IndexMetadata index : indices) {
      all += index.shards().stream().mapToInt(shard -> shard.copies().size()).sum();
    }
    for (CopyReader.Answer<CopyStats> one : answers) {
      ErrorBody failure = one.failure();
      if (failure != null) {
        counts.addFailure(one.index().name(), one.copy().shard().number(), failure);
      }
    }
    counts.add(all, (int) copies.stream().filter(c -> !c.answer().index().closed()).count());
    return counts;
  }

  /** Returns the sum over the copies that match. */
  public Map<String, Object> sum(Predicate<Copy> wanted) {
    Map<String, Object> sum = StatsJson.none(request);
    copies.stream().filter(wanted).forEach(copy -> JsonObjects.add(sum, copy.sections()));
    return SliceShare.withAverages(StoredFieldsShare.withRatios(sum));
  }

  /** Returns the sums over matching primaries and over all matching copies. */
  public Map<String, Object> sums(Predicate<Copy> wanted) {
    return object(
        "primaries",
        sum(copy -> copy.answer().primary() && wanted.test(copy)),
        "total",
        sum(wanted));
  }

  /** Returns the lowest local checkpoint of the shard's serving copies; -1 if there are none. */
  public long globalCheckpoint(Copy of) {
    return globalCheckpoint(copies, of);
  }

  static long globalCheckpoint(List<Copy> copies, Copy of) {
    return copies.stream()
        .filter(copy -> copy.answer().copy().shard().equals(of.answer().copy().shard()))
        .mapToLong(copy -> copy.stats().seqNos().localCheckpoint())
        .min()
        .orElse(-1);
  }

  /** Returns all details of each copy, by shard number. */
  public Map<String, Object> shards(String index) {
    Map<String, List<Object>> shards = new LinkedHashMap<>();
    for (Copy copy : copies) {
      if (copy.indexName().equals(index)) {
        shards
            .computeIfAbsent(
                Integer.toString(copy.answer().copy().shard().number()), _ -> new ArrayList<>())
            .add(shard(copy));
      }
    }
    return new LinkedHashMap<>(shards);
  }

  /** Returns all details of one copy. */
  public Map<String, Object> shard(Copy copy) {
    Map<String, Object> shown = object("routing", routing(copy));
    Map<String, Object> sections = new LinkedHashMap<>();
    JsonObjects.add(sections, copy.sections());
    shown.putAll(SliceShare.withAverages(StoredFieldsShare.withRatios(sections)));
    CopyStats.Commit commit = copy.stats().commit();
    shown.put(
        "commit",
        object(
            "id", commit.id(),
            "generation", commit.generation(),
            "user_data", commit.userData(),
            "num_docs", commit.docs()));
    CopyStats.SeqNos seqNos = copy.stats().seqNos();
    shown.put(
        "seq_no",
        object(
            "max_seq_no", seqNos.max(),
            "local_checkpoint", seqNos.localCheckpoint(),
            "global_checkpoint", globalCheckpoint(copy)));
    shown.put("retention_leases", leases(copy));
    String path = copy.stats().dataPath();
    shown.put(
        "shard_path", object("state_path", path, "data_path", path, "is_custom_data_path", false));
    return shown;
  }

  private static Map<String, Object> routing(Copy copy) {
    CopyRouting routing = copy.answer().copy().copy();
    Optional<Relocation> moving =
        copy.answer()
            .index()
            .shard(copy.answer().copy().shard().number())
            .relocationOf(routing.copyId());
    return object(
        "state", moving.isPresent() ? "RELOCATING" : routing.state().name(),
        "primary", routing.primary(),
        "node", copy.nodeId(),
        "relocating_node", moving.map(r -> r.target().nodeId()).orElse(null));
  }

  /**
   * Returns the retention leases of following clusters. The shard's own copies need no leases,
   * because they read the log.
   */
  private Map<String, Object> leases(Copy copy) {
    ShardRouting shard = copy.answer().index().shard(copy.answer().copy().shard().number());
    List<Object> shown = new ArrayList<>();
    for (ShardLeases.Lease lease : leases.getOrDefault(shard.shard(), ShardLeases.NONE).leases()) {
      shown.add(
          object(
              "id", lease.holder(),
              "retaining_seq_no", lease.retainingSeqNo(),
              "timestamp", lease.renewedMillis(),
              "source", "ccr"));
    }
    return object("primary_term", shard.primaryTerm(), "version", state.version(), "leases", shown);
  }
}
