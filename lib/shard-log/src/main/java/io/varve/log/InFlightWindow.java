package io.varve.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a writer has in flight, in the order of the appends, and what can be said of the first of
 * it.
 *
 * <pre>
 *   nothing is in flight, or its answer is not there    wait
 *   it stands at the next offset                        accepted
 *   it stands further on                                a gap: what others wrote there is read first
 *   it stands before that, or its fate is unknown       broken: nothing can be accepted any more
 * </pre>
 *
 * Has no locks, threads or I/O: its owner guards it.
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

    /** The log took it; before, it may yet turn out that it was never sent. */
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

  /** What comes next. */
  sealed interface Step {
    record Wait() implements Step {}

    /** The first entry; it is in flight no more. */
    record Accept(Entry entry) implements Step {}

    /** Until these were read, nothing else is decided. */
    record Gap(long fromOffset, long toOffset) implements Step {}

    record Broken(String reason) implements Step {}
  }

  /** Where the first append is expected. */
  void startAt(long offset) {
    expectedOffset = offset;
  }

  void add(Entry entry) {
    entries.addLast(entry);
  }

  /** It was not sent. */
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
      return new Step.Broken("the fate of an append is unknown: " + head.failure);
    }
    if (head.offset < expectedOffset) {
      return new Step.Broken(
          "the log went back: offset " + head.offset + " where " + expectedOffset + " was next");
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

  /** Those that the log took; none is in flight any more. */
  List<Entry> drain() {
    List<Entry> sent = new ArrayList<>(entries);
    sent.removeIf(entry -> !entry.sent);
    entries.clear();
    return sent;
  }
}
