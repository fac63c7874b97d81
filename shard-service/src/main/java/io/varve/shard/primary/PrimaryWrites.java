package io.varve.shard.primary;

import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.Parsed;
import io.varve.engine.Resolution;
import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.replicated.ConfirmedBases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Executes the writes of clients. They are parsed on the request's thread without a lock, and then
 * sequenced in order. Different requests are parsed concurrently, but the items of one request are
 * not. Fields that the mapping lacks are added by the leading coordinator before the document that
 * contains them is appended; the items after it wait, so that the items of a bulk request are
 * applied in order.
 */
final class PrimaryWrites {

  private static final int MAX_MAPPING_ROUNDS_PER_ITEM = 4;

  private final CopyContext context;
  private final ShardEngine engine;
  private final Sequencer sequencer;
  private final @Nullable ConfirmedBases bases;
  private final ReadWriteLock underWay = new ReentrantReadWriteLock();
  private final LongAdder[] byStatusClass = new LongAdder[CopyStats.STATUS_CLASSES];

  /**
   * @param bases of a strongly consistent index, otherwise null
   */
  PrimaryWrites(
      CopyContext context,
      ShardEngine engine,
      Sequencer sequencer,
      @Nullable ConfirmedBases bases) {
    this.bases = bases;
    this.context = context;
    this.engine = engine;
    this.sequencer = sequencer;
    Arrays.setAll(byStatusClass, _ -> new LongAdder());
  }

  /**
   * Returns the results of the items, in order.
   *
   * @param room reserved until the last item is completed, which may be after the response
   * @throws ApiException if the whole request was refused and none of its items was appended
   */
  List<WriteResult> write(List<WriteItem> items, WritePressure.Room room, Duration timeout)
      throws InterruptedException {
    underWay.readLock().lock();
    try {
      refuseWhenFollowing(context.index());
      refuseWhenSearchedOnly(context.index());
      return writeNow(items, room, timeout);
    } finally {
      underWay.readLock().unlock();
    }
  }

  /** Waits until all writes that have begun have ended; false on timeout. */
  boolean awaitEnd(Duration timeout) throws InterruptedException {
    if (!underWay.writeLock().tryLock(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      return false;
    }
    underWay.writeLock().unlock();
    return true;
  }

  private List<WriteResult> writeNow(
      List<WriteItem> items, WritePressure.Room room, Duration timeout)
      throws InterruptedException {
    BulkRequest request = new BulkRequest(items, room.hold()::close);
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    try {
      if (bases != null) {
        bases.await(items, remaining(deadlineNanos)).forEach(request::fail);
      }
      decide(request, deadlineNanos);
    } catch (ApiException e) {
      request.failFrom(0, e.error());
      throw e;
    } catch (InterruptedException | RuntimeException | Error e) {
      request.failFrom(0, BulkRequest.unknown(String.valueOf(e.getMessage())));
      throw e;
    }
    return counted(request.await(remaining(deadlineNanos)));
  }

  /** The results if none of the items is executed. */
  List<WriteResult> refused(List<WriteItem> items, ErrorBody why) {
    WriteResult failed = new WriteResult.Failed(why);
    return counted(items.stream().map(item -> failed).toList());
  }

  private List<WriteResult> counted(List<WriteResult> results) {
    for (WriteResult result : results) {
      int statusClass =
          switch (result) {
                case WriteResult.Done done -> done.status();
                case WriteResult.Failed failed -> failed.error().status();
              }
              / 100;
      if (statusClass >= 1 && statusClass <= CopyStats.STATUS_CLASSES) {
        byStatusClass[statusClass - 1].increment();
      }
    }
    return results;
  }

  /** The numbers of items by the class of their status: 1xx, 2xx and so on. */
  List<Long> byStatusClass() {
    return Arrays.stream(byStatusClass).map(LongAdder::sum).toList();
  }

  static long sizeBytes(List<WriteItem> items) {
    long bytes = 0;
    for (WriteItem item : items) {
      bytes += item.bodyLength() + 2L * item.id().length() + 128;
    }
    return bytes;
  }

  /**
   * Coordinators refuse such writes too, but only after they have received the state with the
   * block.
   */
  private static void refuseWhenSearchedOnly(IndexMetadata index) {
    if (index.searchOnly()) {
      throw new ApiException(IndexBlocks.refusal(index, IndexBlocks.Action.WRITE).orElseThrow());
    }
  }

  private void refuseWhenFollowing(IndexMetadata index) {
    FollowRelation follow = index.follow();
    if (follow != null) {
      throw new ApiException(
          403,
          "cluster_block_exception",
          "index ["
              + index.name()
              + "] blocked by: [FORBIDDEN/8/index follows ["
              + follow.remoteCluster()
              + ":"
              + follow.leaderIndex()
              + "]];");
    }
  }

  private void decide(BulkRequest request, long deadlineNanos) throws InterruptedException {
    List<Parsed> parsed = parse(request.items());
    int from = 0;
    int rounds = 0;
    while (sequencer.sequence(request, parsed, from)
        instanceof Sequencer.Step.NeedsMapping(int item, Resolution.NeedsMapping fields)) {
      rounds = item == from ? rounds + 1 : 1;
      from = item;
      try {
        if (rounds > MAX_MAPPING_ROUNDS_PER_ITEM) {
          throw new ApiException(
              503,
              "process_cluster_event_timeout_exception",
              "the mapping still lacks fields of [" + request.items().get(item).id() + "]");
        }
        addFields(fields.mappingVersion(), fields.properties(), remaining(deadlineNanos));
        parseAgain(request.items(), parsed, from);
      } catch (ApiException e) {
        request.fail(item, e.error());
      }
    }
  }

  private List<Parsed> parse(List<WriteItem> items) {
    List<Parsed> parsed = new ArrayList<>(items.size());
    items.forEach(item -> parsed.add(engine.parse(item)));
    return parsed;
  }

  private void parseAgain(List<WriteItem> items, List<Parsed> parsed, int from) {
    for (int i = from; i < items.size(); i++) {
      if (parsed.get(i) instanceof Parsed.NeedsMapping) {
        parsed.set(i, engine.parse(items.get(i)));
      }
    }
  }

  /**
   * Requests the fields, and waits until this node has a newer mapping than {@code knownVersion}.
   */
  void addFields(long knownVersion, String properties, Duration timeout)
      throws InterruptedException {
    if (context.index().mappingVersion() > knownVersion) {
      return;
    }
    long version =
        context
            .node()
            .leader()
            .newFields(
                new ClusterCalls.NewFields(context.shard().indexUuid(), knownVersion, properties),
                timeout);
    context.node().awaitState(version, timeout);
  }

  static Duration remaining(long deadlineNanos) {
    return Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
  }
}
