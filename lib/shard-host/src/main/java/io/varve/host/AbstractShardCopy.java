package io.varve.host;

import io.varve.cluster.IndexSettings;
import io.varve.engine.HeldView;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.Searchable;
import io.varve.events.ShardId;
import io.varve.host.reading.Freshness;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.CopyRecovery;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The common part of every kind of copy: identity, lifecycle, recovery progress, and the values
 * that readers wait for.
 *
 * @param <L> the phases of this kind of copy and the transitions between them
 */
public abstract class AbstractShardCopy<L extends CopyLife<?>> implements ShardCopy {

  private final CopyContext context;
  private final boolean primary;
  private final boolean strong;
  private final L life;
  private final RecoveryProgress recoveryProgress;
  private final OffsetWatcher visible = new OffsetWatcher(-1);
  private final Freshness freshness =
      new Freshness(() -> logEnd().newest(), visible, this::want, System::nanoTime);
  private volatile ReaderWarmer warmer = ReaderWarmer.NONE;
  private final AtomicReference<@Nullable HeldView> before = new AtomicReference<>();

  protected AbstractShardCopy(CopyContext context, boolean primary, L life) {
    this.context = context;
    this.primary = primary;
    this.strong = IndexSettings.isStrong(context.settings());
    this.life = life;
    this.recoveryProgress = new RecoveryProgress(context, primary);
  }

  /** Reports that the copy's progress has changed. */
  protected final void progressed() {
    context.host().progressed();
  }

  protected final L life() {
    return life;
  }

  protected final RecoveryProgress recoveryProgress() {
    return recoveryProgress;
  }

  protected final ReaderWarmer warmer() {
    return warmer;
  }

  @Override
  public final void warmWith(ReaderWarmer newWarmer) {
    warmer = newWarmer;
  }

  @Override
  public final void takesOver(HeldView view) {
    before.set(view);
  }

  @Override
  public final OptionalLong shownBefore() {
    HeldView held = before.get();
    return held == null || serves() ? OptionalLong.empty() : OptionalLong.of(held.visibleSeqNo());
  }

  /**
   * The view from before the takeover is read first: once it is released, this copy is open or
   * closed.
   */
  @Override
  public final Optional<Searchable> searched() {
    HeldView held = before.get();
    return searchable().map(Searchable.class::cast).or(() -> Optional.ofNullable(held));
  }

  /**
   * Called when this copy shows more than the replica that it took over from, and when it is
   * closed.
   */
  protected final void forgetBefore() {
    HeldView held = before.getAndSet(null);
    if (held != null) {
      held.close();
    }
  }

  @Override
  public final ShardId shard() {
    return context.shard();
  }

  @Override
  public final String copyId() {
    return context.copyId();
  }

  @Override
  public final boolean primary() {
    return primary;
  }

  @Override
  public final String incarnation() {
    return context.node().identity().incarnation();
  }

  /** Cannot change while a copy is open. */
  @Override
  public final boolean strong() {
    return strong;
  }

  @Override
  public final State state() {
    return life.state();
  }

  @Override
  public final void contradicted(String reason) {
    context.host().contradicted(reason);
  }

  @Override
  public final OffsetWatcher visible() {
    return visible;
  }

  @Override
  public final Freshness freshness() {
    return freshness;
  }

  @Override
  public final CopyRecovery recovery() {
    return recoveryProgress.read();
  }
}
