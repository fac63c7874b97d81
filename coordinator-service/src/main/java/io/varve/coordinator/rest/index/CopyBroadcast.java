package io.varve.coordinator.rest.index;

import io.varve.client.CopyAddress;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.process.Parallel;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Calls all copies of some indices in parallel, and counts successes and failures. */
final class CopyBroadcast {

  private final Parallel parallel;

  CopyBroadcast(Parallel parallel) {
    this.parallel = parallel;
  }

  /** Calls one copy. Throws the copy's error, or an error if the copy cannot be reached. */
  @FunctionalInterface
  interface Call {
    void ask(CopyAddress copy) throws InterruptedException;
  }

  private record Copy(String index, CopyAddress address) {}

  /**
   * @param primariesOnly whether replicas are neither called nor counted
   */
  ShardCounts ask(ClusterState state, List<IndexMetadata> indices, boolean primariesOnly, Call call)
      throws InterruptedException {
    List<Copy> copies = new ArrayList<>();
    ShardCounts counts = new ShardCounts();
    for (IndexMetadata index : indices) {
      for (ShardRouting shard : index.shards()) {
        counts.add(primariesOnly ? shard.released() ? 0 : 1 : shard.copies().size(), 0);
        CopyAddress.started(state, shard).stream()
            .filter(copy -> !primariesOnly || copy.copy().primary())
            .forEach(copy -> copies.add(new Copy(index.name(), copy)));
      }
    }
    List<Optional<ErrorBody>> answers = parallel.map(copies, copy -> failure(copy, call));
    for (int i = 0; i < copies.size(); i++) {
      Copy copy = copies.get(i);
      answers
          .get(i)
          .ifPresentOrElse(
              error -> counts.addFailure(copy.index(), copy.address().shard().number(), error),
              () -> counts.add(0, 1));
    }
    return counts;
  }

  private static Optional<ErrorBody> failure(Copy copy, Call call) throws InterruptedException {
    try {
      call.ask(copy.address());
      return Optional.empty();
    } catch (ApiException e) {
      return Optional.of(e.error());
    } catch (UnreachableException e) {
      return Optional.of(
          ErrorBody.of(503, "connect_transport_exception", String.valueOf(e.getMessage())));
    }
  }
}
