package io.varve.coordinator.rest.shard;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks all started copies of indices for their figures, at the same time. */
public final class CopyStatsReader {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ShardClient client;
  private final Parallel parallel;

  public CopyStatsReader(ShardClient client, Parallel parallel) {
    this.client = client;
    this.parallel = parallel;
  }

  /** A copy and what it said; exactly one of {@code stats} and {@code failure} is there. */
  public record Answer(
      IndexMetadata index,
      CopyAddress copy,
      @Nullable CopyStats stats,
      @Nullable ErrorBody failure) {

    public Optional<CopyStats> figures() {
      return Optional.ofNullable(stats);
    }
  }

  private record Question(IndexMetadata index, CopyAddress copy) {}

  public List<Answer> read(ClusterState state, Collection<IndexMetadata> indices)
      throws InterruptedException {
    List<Question> questions = new ArrayList<>();
    for (IndexMetadata index : indices) {
      for (ShardRouting shard : index.shards()) {
        CopyAddress.started(state, shard).forEach(copy -> questions.add(new Question(index, copy)));
      }
    }
    return parallel.map(questions, this::ask);
  }

  private Answer ask(Question question) throws InterruptedException {
    try {
      CopyStats stats = client.stats(question.copy(), TIMEOUT);
      return new Answer(question.index(), question.copy(), stats, null);
    } catch (ApiException e) {
      return new Answer(question.index(), question.copy(), null, e.error());
    } catch (ShardClient.UnreachableException e) {
      ErrorBody failure = ErrorBody.of(503, "connect_transport_exception", e.toString());
      return new Answer(question.index(), question.copy(), null, failure);
    }
  }
}
