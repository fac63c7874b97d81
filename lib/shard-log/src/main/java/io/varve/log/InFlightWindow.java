package io.varve.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The appends in flight of one writer, in order, and the decision on the first of them.
 *
 * <pre>
 *   none in flight, or its offset is not known yet      wait
 *   its offset is the next one                          accepted
 *   its offset is higher                                gap: read the foreign records first
 *   its offset is lower, or its outcome is unknown      broken: accept nothing from here on
 * </pre>
 *
 * No locks, threads or I/O: guarded by its owner.
 */
final class InFlightWindow {

  private final Deque<Entry> entries = new ArrayDeque<>();
  private long expectedOffset;
  private boolean readingGap;

  /** One append. */
  static final class Entry {
    private final FencedWriter.Completion completion;
    private boolean sent;
    private boolean told;
    private boolean answered;
    private long offset;
    private long timestampMillis;
    private @Nullable String failure;

    Entry(FencedWriter.Completion completion) {
      this.completion = completion;
    }

    FencedWriter.Completion completion() {
      return completion;
    }

    /**
     * The log accepted the append. Before this call, the append may still fail without having been
     * sent.
     */
    void sent() {
      sent = true;
    }

    void told() {
      told = true;
    }

    boolean isTold() {
      return told;
    }

    void appended(long atOffset, long atMillis) {
      answered = true;
      offset = atOffset;
      timestampMillis = atMillis;
    }

    void unknown(String reason) {
      answered = true;
      failure = reason;
    }

    long offset() {
      return offset;
    }

    long timestampMillis() {
      return timestampMillis;
    }
  }

  /** The decision on the first append in flight. */
  sealed interface Step {
    record Wait() implements Step {}

    /** The first entry is accepted and removed. */
    record Accept(Entry entry) implements Step {}

    /** Records to read before any other decision. */
    record Gap(long fromOffset, long toOffset) implements Step {}

    record Broken(String reason) implements Step {}
  }

  /** Sets the offset expected of the first append. */
  void startAt(long offset) {
    expectedOffset = offset;
  }

  void add(Entry entry) {
    entries.addLast(entry);
  }

  /** Removes an entry that was not sent. */
  void withdraw(Entry entry) {
    entries.removeLastOccurrence(entry);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  Step next() {
    Entry head = entries.peekFirst();
    if (readingGap || head == null || !head.answered) {
      return new Step.Wait();
    }
    if (head.failure != null) {
      return new Step.Broken("the outcome of an append is unknown: " + head.failure);
    }
    if (head.offset < expectedOffset) {
      return new Step.Broken(
          "the log lost its tail: offset "
              + head.offset
              + " where "
              + expectedOffset
              + " was next");
    }
    if (head.offset > expectedOffset) {
      readingGap = true;
      return new Step.Gap(expectedOffset, head.offset);
    }
    entries.removeFirst();
    expectedOffset++;
    return new Step.Accept(head);
  }

  void gapReadTo(long offset) {
    readingGap = false;
    expectedOffset = offset;
  }

  /** Removes all entries and returns those that the log accepted. */
  List<Entry> drain() {
    List<Entry> sent = new ArrayList<>(entries);
    sent.removeIf(entry -> !entry.sent);
    entries.clear();
    return sent;
  }
}
