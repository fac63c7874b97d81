package io.varve.coordinator.rest.shard;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Asks many copies the same, at the same time. */
public final class CopyReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ShardClient client;
  private final Parallel parallel;

  public CopyReader(ShardClient client, Parallel parallel) {
    this.client = client;
    this.parallel = parallel;
  }

  /** A copy and what it said; exactly one of {@code said} and {@code failure} is there. */
  public record Answer<T>(
      IndexMetadata index, CopyAddress copy, @Nullable T said, @Nullable ErrorBody failure) {

    public Optional<T> figures() {
      return Optional.ofNullable(said);
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

  /** Of the started copies of indices that are open. */
  public List<Answer<CopyStats>> stats(ClusterState state, Collection<IndexMetadata> indices)
      throws InterruptedException {
    return read(
        state,
        indices.stream().filter(index -> !index.closed()).toList(),
        CopyRouting::started,
        client::stats);
  }

  /** Of the started copies. */
  public List<Answer<CopySegments>> segments(ClusterState state, Collection<IndexMetadata> indices)
      throws InterruptedException {
    return read(state, indices, CopyRouting::started, client::segments);
  }

  /** Of all copies that have a node. */
  public List<Answer<CopyRecovery>> recoveries(
      ClusterState state, Collection<IndexMetadata> indices) throws InterruptedException {
    return read(state, indices, copy -> copy.nodeId() != null, client::recovery);
  }

  private <T> List<Answer<T>> read(
      ClusterState state,
      Collection<IndexMetadata> indices,
      Predicate<CopyRouting> asked,
      Call<T> call)
      throws InterruptedException {
    List<Question> questions = new ArrayList<>();
    for (IndexMetadata index : indices) {
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
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
