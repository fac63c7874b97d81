package io.varve.coordinator.rest.document;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.List;

/** The items of one request that go to one shard, and what became of them. Not thread-safe. */
final class ShardBatch {

  private final IndexMetadata index;
  private final int shard;
  private final List<WriteItem> items = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();
  private List<WriteResult> results = List.of();
  private int started;

  ShardBatch(IndexMetadata index, int shard) {
    this.index = index;
    this.shard = shard;
  }

  void add(int position, WriteItem item) {
    positions.add(position);
    items.add(item);
  }

  IndexMetadata index() {
    return index;
  }

  int shard() {
    return shard;
  }

  ShardRouting routing() {
    return index.shard(shard);
  }

  List<WriteItem> items() {
    return items;
  }

  /** Where each item stands in the request. */
  List<Integer> positions() {
    return positions;
  }

  /** {@code startedCopies} will apply what is in the log now. */
  void done(List<WriteResult> newResults, int startedCopies) {
    if (newResults.size() != items.size()) {
      throw new IllegalStateException(newResults.size() + " results of " + items.size());
    }
    results = newResults;
    started = startedCopies;
  }

  List<WriteResult> results() {
    return results;
  }

  int copies() {
    return routing().copies().size();
  }

  int startedCopies() {
    return started;
  }

  /** The highest seq_no that a search must show to show them all; -1 when there is none. */
  long highestSeqNo() {
    long highest = -1;
    for (WriteResult result : results) {
      if (result instanceof WriteResult.Done done && !done.result().equals("noop")) {
        highest = Math.max(highest, done.seqNo());
      }
    }
    return highest;
  }
}
