package io.varve.shard.retention;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.LogRetention;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.ShardRouting;
import io.varve.host.CopyContext;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.RetentionPlanner;
import io.varve.log.RetentionPlanner.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates a shard's log before the offsets that {@link LogNeeds} requires, if the index's {@code
 * index.log.retention} is {@code auto}. Only the shard's primary does so, while its gate is open.
 *
 * <pre>
 *   read the cluster log to its end; stop unless this copy is still the primary of its term, and
 *     the cluster log says that it is started
 *   record the primary's commit and the newest published manifest
 *   ask the other copies for their durable offsets
 *   plan, delete
 * </pre>
 *
 * A primary that is replaced during these steps still deletes nothing that is needed, because every
 * later copy starts from a commit or a manifest that is at least as new as the recorded ones.
 *
 * <p>INVARIANT: nothing is deleted while no primary of the shard was ever started ({@link
 * ShardRouting#neverStarted}), so that the coordinators know that the log is complete.
 */
public final class LogTruncation implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogTruncation.class);
  private static final RetentionPlanner PLANNER = new RetentionPlanner(0, 1);
  private static final long EVERY_MILLIS = 5_000;
  private static final Duration STATE_WITHIN = Duration.ofSeconds(10);

  /** The primary whose log is truncated. */
  public interface Primary {

    /** Whether it accepts writes. */
    boolean isOpen();

    /** The first offset that it would replay after a restart. */
    long durableOffset();

    /** The next offset of its newest manifest in the log, or {@link LogNeeds#UNKNOWN}. */
    long publishedOffset();

    /**
     * The next offset of the manifest that the segment store has held for its grace, or {@link
     * LogNeeds#UNKNOWN}; {@code null} for an index without a segment store.
     */
    @Nullable Long storedOffset();
  }

  private final CopyContext context;
  private final long term;
  private final Primary primary;
  private final DurableOffsets offsets;
  private final LeaseLimits limits;
  private final PinnedCommits pins;
  private final LogNeeds needs = new LogNeeds();
  private final ReentrantLock running = new ReentrantLock();
  private long manifestsReadTo;
  private long startOffset = LogNeeds.UNKNOWN;
  private String keptFor = "";
  private volatile @Nullable ScheduledFuture<?> turns;

  public LogTruncation(CopyContext context, long term, Primary primary) {
    this.context = context;
    this.term = term;
    this.primary = primary;
    this.offsets = new DurableOffsets(context);
    this.limits = new LeaseLimits(context);
    this.pins = PinnedCommits.in(context.folder());
  }

  /** Starts periodic truncation. */
  public void start() {
    turns =
        context
            .node()
            .timer()
            .scheduleWithFixedDelay(
                () -> context.node().blocking().execute(this::turn),
                EVERY_MILLIS,
                EVERY_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  private void turn() {
    if (running.isLocked()) {
      return;
    }
    try {
      run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (LogException | RuntimeException e) {
      LOG.warn("{} could not truncate its log: {}", context.shard(), e.toString());
    }
  }

  /** Truncates the log before the offset that is still needed; one run at a time. */
  public void run() throws LogException, InterruptedException {
    running.lock();
    try {
      truncate();
    } finally {
      running.unlock();
    }
  }

  private void truncate() throws LogException, InterruptedException {
    LogRetention retention = IndexSettings.logRetention(context.settings());
    if (!retention.shortened() || !primary.isOpen()) {
      return;
    }
    PartitionLog operations = context.operations();
    if (startOffset == LogNeeds.UNKNOWN) {
      startOffset = operations.startOffset();
    }
    if (!canTruncate()) {
      return;
    }
    ShardRouting routing = routing();
    if (routing == null) {
      return;
    }
    LogNeeds.Rules rules =
        new LogNeeds.Rules(
            retention.minCopies(), retention.graceMillis(), retention.leasePeriodMillis());
    List<LogNeeds.Copy> copies = copies(routing);
    // Asking the copies takes time, in which leases may have been added.
    if (!routing.equals(routing())) {
      return;
    }
    Optional<IndexMetadata> index =
        context.node().cluster().current().index(context.shard().indexUuid());
    Map<String, RetentionLease> leases = index.map(IndexMetadata::leases).orElse(Map.of());
    LogNeeds.Shard shard = shard(copies, leases, awaitsFork(index));
    readLeases();
    long nowMillis = context.node().clock().millis();
    LogNeeds.Needs needed = needs.at(shard, rules, nowMillis);
    switch (needed) {
      case LogNeeds.Needs.Everything(String reason) -> keepAll(reason);
      case LogNeeds.Needs.Known(List<RetentionPlanner.Need> known) ->
          carryOut(PLANNER.plan(startOffset, operations.endOffset(), known), operations);
    }
    limits.check(leases, retention.leaseMaxBytes(), nowMillis);
  }

  /**
   * Whether this primary's own offsets allow a truncation; if not, the other copies need not be
   * asked.
   */
  private boolean canTruncate() {
    Long stored = primary.storedOffset();
    long own = Math.min(primary.durableOffset(), primary.publishedOffset());
    return (stored == null ? own : Math.min(own, stored)) > startOffset;
  }

  /**
   * The routing at the end of the cluster log; {@code null} if this copy is not its started
   * primary.
   */
  private @Nullable ShardRouting routing() throws LogException, InterruptedException {
    if (!context.node().awaitEndOfClusterLog(STATE_WITHIN)) {
      keepAll("the cluster log was not read to its end within " + STATE_WITHIN);
      return null;
    }
    ClusterState state = context.node().cluster().current();
    return state
        .shard(context.shard())
        .filter(shard -> shard.isServedBy(context.copyId(), term) && primary.isOpen())
        .orElse(null);
  }

  /** The offsets up to which the copies hold the operations; asks their nodes. */
  private List<LogNeeds.Copy> copies(ShardRouting routing) throws InterruptedException {
    long durable = primary.durableOffset();
    List<LogNeeds.Copy> copies = new ArrayList<>();
    for (CopyRouting copy : routing.everywhere()) {
      boolean self = copy.copyId().equals(context.copyId());
      LogNeeds.Role role =
          self
              ? LogNeeds.Role.PRIMARY
              : copy.searchOnly() ? LogNeeds.Role.SEARCH : LogNeeds.Role.REPLICA;
      copies.add(
          new LogNeeds.Copy(
              copy.copyId(),
              role,
              copy.nodeId(),
              self || copy.started(),
              self ? durable : offsets.of(copy)));
    }
    return copies;
  }

  private boolean awaitsFork(Optional<IndexMetadata> index) {
    return index.filter(now -> now.awaitsFork(context.shard().number())).isPresent();
  }

  private LogNeeds.Shard shard(
      List<LogNeeds.Copy> copies, Map<String, RetentionLease> leases, boolean awaitsFork) {
    Map<String, Long> retained = new TreeMap<>();
    Pins pinned = pins.pins();
    leases.forEach((holder, lease) ->
        retained.put(holder, pinned.neededFrom(lease.retainedFrom(context.shard().number()))));
    return new LogNeeds.Shard(
        copies, primary.publishedOffset(), primary.storedOffset(), retained, awaitsFork);
  }

  private void carryOut(Plan plan, PartitionLog operations) throws LogException {
    switch (plan) {
      case Plan.Keep(String reason) ->
          LOG.debug("{} keeps its operations: {}", context.shard(), reason);
      case Plan.ForgetBefore(long offset) -> {
        operations.truncateBefore(offset);
        startOffset = offset;
        keptFor = "";
        LOG.info("{} deleted its operations before offset {}", context.shard(), offset);
      }
    }
  }

  /** Logs the reason once, until it changes. */
  private void keepAll(String reason) {
    if (!reason.equals(keptFor)) {
      keptFor = reason;
      LOG.info(
          "{} keeps all operations from offset {} on: {}", context.shard(), startOffset, reason);
    }
  }

  /** Reads the leases of all followers; the topic keeps the newest record of each. */
  private void readLeases() throws LogException {
    PartitionLog manifests = context.manifests();
    long end = manifests.endOffset();
    manifests.read(
        Math.max(manifestsReadTo, manifests.startOffset()),
        end,
        stored -> needs.read(ManifestLog.decode(stored), stored.timestampMillis()));
    manifestsReadTo = end;
  }

  /** Stops periodic truncation. */
  @Override
  public void close() {
    ScheduledFuture<?> planned = turns;
    if (planned != null) {
      planned.cancel(false);
    }
  }
}
