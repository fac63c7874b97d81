package io.varve.engine;

/**
 * The view that a copy had at one moment. It can be searched after that copy is closed, and while a
 * writer of the same folder deletes the files, which stay open. Thread-safe.
 */
public final class HeldView implements Searchable, AutoCloseable {

  private final ReaderSlot slot;
  private final SearchMeters meters;

  private HeldView(SearchView view, SearchMeters meters) {
    this.slot =
        new ReaderSlot(view.searcher().getIndexReader(), view.generation(), view.visibleSeqNo());
    this.meters = meters;
  }

  /** Holds the present view. */
  public static HeldView of(Searchable copy) {
    return new HeldView(copy.acquireView(), copy.searchMeters());
  }

  @Override
  public SearchView acquireView() {
    return slot.acquire();
  }

  @Override
  public SearchMeters searchMeters() {
    return meters;
  }

  /** Every operation up to this one is visible. */
  public long visibleSeqNo() {
    return slot.visibleSeqNo();
  }

  /** Called once. Views that were acquired stay open until they are closed. */
  @Override
  public void close() {
    slot.close();
  }
}
