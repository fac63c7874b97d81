package io.varve.client;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ShardLeases;
import io.varve.rpc.ShardReplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sends the same request to many copies in parallel. */
public final class CopyReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ShardClient client;
  private final Parallel parallel;

  public CopyReader(ShardClient client, Parallel parallel) {
    this.client = client;
    this.parallel = parallel;
  }

  /** The answer of a copy; exactly one of {@code reported} and {@code failure} is set. */
  public record Answer<T>(
      IndexMetadata index, CopyAddress copy, @Nullable T reported, @Nullable ErrorBody failure) {

    public Optional<T> result() {
      return Optional.ofNullable(reported);
    }

    public boolean primary() {
      return copy.copy().primary();
    }
  }

  private record Question(IndexMetadata index, CopyAddress copy) {}

  @FunctionalInterface
  private interface Call<T> {
    T ask(CopyAddress copy, Duration timeout) throws InterruptedException;
  }

  /** Statistics of the started copies of open indices. */
  public List<Answer<CopyStats>> stats(ClusterState state, Collection<IndexMetadata> indices)
      throws InterruptedException {
    return read(
        state,
        indices.stream().filter(index -> !index.closed()).toList(),
        ShardRouting::copies,
        CopyRouting::started,
        client::stats);
  }

  /** Segments of the started copies. */
  public List<Answer<CopySegments>> segments(ClusterState state, Collection<IndexMetadata> indices)
      throws InterruptedException {
    return read(state, indices, ShardRouting::copies, CopyRouting::started, client::segments);
  }

  /** The retention leases of each shard, as its primary knows them. */
  public List<Answer<ShardLeases>> leases(ClusterState state, Collection<IndexMetadata> indices)
      throws InterruptedException {
    return read(
        state,
        indices.stream().filter(index -> !index.closed()).toList(),
        ShardRouting::copies,
        copy -> copy.primary() && copy.started(),
        client::leases);
  }

  /** What the primaries of strongly consistent indices know of their records. */
  public List<Answer<ShardReplication>> replication(
      ClusterState state, Collection<IndexMetadata> indices) throws InterruptedException {
    return read(
        state,
        indices.stream()
            .filter(index -> !index.closed() && IndexSettings.isStrong(index.settings()))
            .toList(),
        ShardRouting::copies,
        copy -> copy.primary() && copy.started(),
        client::replication);
  }

  /**
   * Recoveries of all assigned copies and of the targets of relocations. The source of a target is
   * the copy that it replaces.
   */
  public List<Answer<CopyRecovery>> recoveries(
      ClusterState state, Collection<IndexMetadata> indices) throws InterruptedException {
    List<Answer<CopyRecovery>> answers =
        read(
            state,
            indices,
            ShardRouting::everywhere,
            copy -> copy.nodeId() != null,
            client::recovery);
    return answers.stream().map(answer -> moving(state, answer)).toList();
  }

  private static Answer<CopyRecovery> moving(ClusterState state, Answer<CopyRecovery> answer) {
    CopyRecovery reported = answer.reported();
    Optional<String> from =
        state
            .shard(answer.copy().shard())
            .flatMap(shard ->
                shard
                    .relocationTo(answer.copy().copy().copyId())
                    .flatMap(relocation -> shard.copy(relocation.copyId())))
            .map(CopyRouting::nodeId);
    return reported == null || from.isEmpty()
        ? answer
        : new Answer<>(answer.index(), answer.copy(), reported.from(from.get()), null);
  }

  private <T> List<Answer<T>> read(
      ClusterState state,
      Collection<IndexMetadata> indices,
      Function<ShardRouting, List<CopyRouting>> of,
      Predicate<CopyRouting> asked,
      Call<T> call)
      throws InterruptedException {
    List<Question> questions = new ArrayList<>();
    for (IndexMetadata index : indices) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : of.apply(shard)) {
          if (asked.test(copy)) {
            CopyAddress.of(state, shard, copy)
                .ifPresent(address -> questions.add(new Question(index, address)));
          }
        }
      }
    }
    return parallel.map(questions, question -> ask(question, call));
  }

  private static <T> Answer<T> ask(Question question, Call<T> call) throws InterruptedException {
    IndexMetadata index = question.index();
    CopyAddress copy = question.copy();
    try {
      return new Answer<>(index, copy, call.ask(copy, TIMEOUT), null);
    } catch (ApiException e) {
      return new Answer<>(index, copy, null, e.error());
    } catch (ShardClient.UnreachableException e) {
      return new Answer<>(
          index, copy, null, ErrorBody.of(503, "connect_transport_exception", e.toString()));
    }
  }
}
