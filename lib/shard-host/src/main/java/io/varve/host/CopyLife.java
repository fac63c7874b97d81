package io.varve.host;

/**
 * The phase of a copy. Each kind of copy has its own sealed phases and its own transitions between
 * them; a resource that exists only in one phase is a component of that phase.
 *
 * <p>INVARIANT: the phase changes only under the lock of this object, and is read without it.
 */
public abstract class CopyLife<P extends CopyLife.Phase> {

  /** One phase of a copy. */
  public interface Phase {

    /** The state that this phase has in the copy's progress reports. */
    ShardCopy.State state();
  }

  private volatile P phase;

  protected CopyLife(P first) {
    this.phase = first;
  }

  public final P now() {
    return phase;
  }

  public final ShardCopy.State state() {
    return phase.state();
  }

  /** Called with the lock of this object held. */
  protected final void enter(P next) {
    phase = next;
  }

  /** The exception for a transition that the current phase does not allow. */
  protected final IllegalStateException illegal(String next) {
    return new IllegalStateException(
        "a copy that is " + phase.getClass().getSimpleName() + " can't become " + next);
  }
}
