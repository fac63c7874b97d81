package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.OperationCodec;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.ContinuedLog;
import io.varve.host.log.ManifestLog;
import io.varve.log.FencedTail;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A DOCUMENT replica: follows the operations with production's {@link FencedTail}, indexes accepted
 * ones and refreshes periodically.
 */
final class DocumentReplicaActor extends LoggedCopy implements FencedTail.Listener {

  private final PartitionLog log;
  private final PartitionLog manifests;
  private final ContinuedLog continued;
  private AppliedPosition read = AppliedPosition.START;
  private long targetOffset = Long.MAX_VALUE;
  private boolean announced;
  private @Nullable Runnable report;

  DocumentReplicaActor(World world, SimNode node, ShardId shard, String copyId, SimDisk disk) {
    super(world, node, shard, copyId, disk, "d" + node.process());
    this.log = world.open(World.ops(shard), node.process(), "d-" + node.process());
    this.manifests = world.open(World.manifests(shard), node.process(), "e-" + node.process());
    this.continued = new ContinuedLog(log, manifests);
  }

  void start() {
    try {
      if (LogLossCheck.isLost(world, log, manifests, checkpoint())) {
        if (continued.isContinued()) {
          node.reportFailed(shard, copyId);
        }
        after(LogLossCheck.RETRY_MICROS, this::start);
        return;
      }
      if (!mayBegin()) {
        after(50_000, this::start);
        return;
      }
      targetOffset = log.endOffset();
      if (!reachesTo(LogBeginning.of(log))) {
        after(50_000, this::start);
        return;
      }
    } catch (LogException e) {
      after(50_000, this::start);
      return;
    }
    report = () -> node.announceStarted(this, Math.max(1, read.fenceTerm()));
    read = checkpoint();
    TermFence fence = new TermFence(read.fenceTerm(), read.nextSeqNo());
    if (world.judgesCarelessly()) {
      var _ = CarelessReader.follow(log, read.nextOffset(), fence, world.mutations(), this);
    } else {
      var _ = FencedTail.follow(log, read.nextOffset(), fence, this);
    }
    tick();
  }

  /**
   * A follower's log may lack the first operations until its first manifest, as production's {@code
   * FollowersFirstManifest} explains.
   */
  private boolean mayBegin() throws LogException {
    if (!World.isFollower(shard) || disk.commit != null) {
      return true;
    }
    Manifest first = new ManifestLog(manifests).before(manifests.endOffset(), true).published();
    return first != null
        && node.stateAtTheEnd()
            .flatMap(state -> state.shard(shard))
            .filter(routing -> routing.primaryTerm() <= first.term())
            .isPresent();
  }

  /** Whether this copy lacks no operation before that beginning of the log. */
  private boolean reachesTo(LogBeginning beginning) throws LogException {
    AppliedPosition here = checkpoint();
    LogPosition position = new LogPosition(here.nextOffset(), here.nextSeqNo(), here.fenceTerm());
    if (!beginning.isBehind(position) || beginCarelesslyAt(beginning.offset())) {
      return true;
    }
    Optional<RestoredFolder> base = RestoredFolder.of(this, manifests, beginning);
    base.ifPresent(this::rebuild);
    return base.isPresent();
  }

  @Override
  public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
    if (closed) {
      return;
    }
    batch.forEach(stored -> take(stored.offset(), OperationCodec.decode(stored.record())));
    read = new AppliedPosition(nextOffset, read.nextSeqNo() + batch.size(), term);
  }

  /** The log was truncated past this reader, so only a rebuilt copy can continue. */
  @Override
  public void lost(LogException.OutOfRange reason) {
    whenApplied(() -> {
      if (!closed) {
        commitIfTheLogLacksIt();
        close();
        node.process().after(50_000, () -> node.replicaFailed(this));
      }
    });
  }

  @Override
  public void whenReadyAgain(Runnable again) {
    try {
      targetOffset = log.endOffset();
      report = again;
    } catch (LogException e) {
      after(50_000, () -> whenReadyAgain(again));
    }
  }

  private void tick() {
    refresh(() -> {
      Runnable ready = report;
      if (ready != null
          && read.nextOffset() >= targetOffset
          && visibleSeqNo() >= read.lastSeqNo()) {
        announced = true;
        report = null;
        ready.run();
      }
    });
    after(50_000 + world.random().nextInt(80_000), this::tick);
  }

  @Override
  public long heldTerm() {
    return read.fenceTerm();
  }

  @Override
  public long readSeqNo() {
    return read.lastSeqNo();
  }

  @Override
  public boolean saysStarted() {
    return announced || world.mutated(Mutation.START_WITHOUT_AN_ADMISSION);
  }

  @Override
  public boolean provesItsStart() {
    return report != null || saysStarted();
  }

  @Override
  void refreshed(AppliedPosition captured, List<SegmentFile> files, Runnable ended) {
    if (!announced) {
      commit(captured);
    }
    engine.deleteUnreferenced(Set.of());
    ended.run();
  }

  @Override
  public void close() {
    closed = true;
  }
}
