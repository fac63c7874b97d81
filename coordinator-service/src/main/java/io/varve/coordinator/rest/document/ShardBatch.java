package io.varve.coordinator.rest.document;

import io.varve.client.consistency.InSyncWait.NotShown;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.SessionToken;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The items of one request for one shard, with their results. Not thread-safe. */
final class ShardBatch {

  private final IndexMetadata index;
  private final int shard;
  private final int copies;
  private final List<WriteItem> items = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();
  private List<@Nullable WriteResult> results = List.of();
  private int started;
  private long unansweredTerm;
  private String unansweredReason = "";
  private List<NotShown> notShown = List.of();

  ShardBatch(IndexMetadata index, int shard) {
    this.index = index;
    this.shard = shard;
    this.copies = index.shard(shard).writeCopies().size();
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

  /** Returns the positions of the items in the request. */
  List<Integer> positions() {
    return positions;
  }

  /** Returns the items without a result, in order, in the form in which they may be sent now. */
  List<WriteItem> unwritten() {
    List<WriteItem> left =
        results.isEmpty() ? items : Arrays.stream(open()).mapToObj(items::get).toList();
    return isUnanswered() ? left.stream().map(RepeatedWrite::again).toList() : left;
  }

  /**
   * Records that the open items were sent to the primary of {@code term} and that their outcome is
   * unknown. Those that can safely be retried on the primary of a newer term remain unanswered.
   */
  void unanswered(long term, String reason) {
    if (!isUnanswered()) {
      unansweredReason = reason;
    }
    ErrorBody unknown = RepeatedWrite.unknown(reason);
    begin();
    for (int item : open()) {
      if (!RepeatedWrite.isAllowed(items.get(item))) {
        results.set(item, new WriteResult.Failed(unknown));
      }
    }
    unansweredTerm = term;
  }

  /** Whether open items may be in the log already. */
  boolean isUnanswered() {
    return unansweredTerm > 0;
  }

  /** Why the first of the unanswered attempts was not answered; empty if there is none. */
  String unansweredReason() {
    return unansweredReason;
  }

  /**
   * Returns the term of the last unanswered attempt; open items may be sent only to primaries of
   * newer terms.
   */
  long unansweredTerm() {
    return unansweredTerm;
  }

  /** Whether any item has no result yet. */
  boolean isOpen() {
    return results.isEmpty() ? !items.isEmpty() : results.contains(null);
  }

  private int[] open() {
    return IntStream.range(0, items.size())
        .filter(i -> results.isEmpty() || results.get(i) == null)
        .toArray();
  }

  /**
   * Records one result for each of {@link #unwritten}; items that may be sent again stay open.
   * {@code startedCopies} is the number of copies that will apply the operations that are now in
   * the log.
   */
  void answered(List<WriteResult> answers, int startedCopies) {
    int[] open = open();
    if (answers.size() != open.length) {
      throw new IllegalStateException(answers.size() + " results of " + open.length);
    }
    begin();
    for (int i = 0; i < answers.size(); i++) {
      if (!WriteResult.mayBeSentAgain(answers.get(i))) {
        results.set(open[i], answers.get(i));
      }
    }
    started = startedCopies;
  }

  private void begin() {
    if (results.isEmpty()) {
      results = new ArrayList<>(Collections.nCopies(items.size(), null));
    }
  }

  /** Fails all open items: they were not written, or their outcome is unknown. */
  void refused(ErrorBody error) {
    answered(Collections.nCopies(open().length, new WriteResult.Failed(error)), started);
  }

  /** Returns one result per item; allowed only when no item is open. */
  List<WriteResult> results() {
    return results.stream().map(Objects::requireNonNull).toList();
  }

  int copies() {
    return copies;
  }

  int startedCopies() {
    return started;
  }

  /** Returns the highest seq_no that must be visible so that all items are; -1 if there is none. */
  long highestSeqNo() {
    long highest = -1;
    for (WriteResult result : results()) {
      if (result instanceof WriteResult.Done done && !done.result().equals("noop")) {
        highest = Math.max(highest, done.seqNo());
      }
    }
    return highest;
  }

  /** Records the copies on which the write did not become visible in time. */
  void notShownOn(List<NotShown> copies) {
    notShown = List.copyOf(copies);
  }

  List<NotShown> notShown() {
    return notShown;
  }

  /**
   * Returns the session token with which a read shows all items, including updates that changed
   * nothing.
   */
  SessionToken session() {
    long highest = -1;
    for (WriteResult result : results()) {
      if (result instanceof WriteResult.Done done) {
        highest = Math.max(highest, done.seqNo());
      }
    }
    return highest < 0 ? SessionToken.NONE : SessionToken.NONE.plus(routing().shard(), highest);
  }
}
