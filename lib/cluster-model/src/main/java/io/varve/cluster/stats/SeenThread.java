package io.varve.cluster.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thread in a thread dump of the JVM.
 *
 * @param state as {@link Thread.State} names it
 * @param stack the innermost frame first
 * @param carrierId of a virtual thread that is mounted; null for others
 */
record SeenThread(
    long id,
    String name,
    boolean virtual,
    String state,
    List<String> stack,
    @Nullable Long carrierId) {

  /**
   * Methods in which a thread is idle; compared with its first frame that does not belong to
   * parking.
   */
  private static final Set<String> IDLE =
      Set.of(
          "java.util.concurrent.ThreadPoolExecutor.getTask",
          "java.util.concurrent.ForkJoinPool.awaitWork",
          "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
          "java.lang.ref.ReferenceQueue.remove",
          "java.lang.ref.Reference.waitForReferencePendingList",
          "sun.nio.ch.EPoll.wait",
          "sun.nio.ch.Net.accept",
          "java.lang.VirtualThread.takeVirtualThreadListToUnblock",
          "java.lang.Thread.sleep");

  private static final int FRAMES_OF_PARKING = 10;

  private static final Pattern THREAD = Pattern.compile("\"(.*)\" #(\\d+) ");
  private static final Pattern MOUNTED = Pattern.compile("\\s*Mounted virtual thread #(\\d+)");
  private static final String STATE = "java.lang.Thread.State: ";
  private static final String FRAME = "at ";

  SeenThread {
    stack = List.copyOf(stack);
  }

  /**
   * The threads of a dump as {@code Thread.print} writes it. A mounted virtual thread follows the
   * stack of its carrier, without its name. Internal threads of the JVM have no number and are
   * omitted.
   */
  static List<SeenThread> parse(String dump) {
    List<SeenThread> seen = new ArrayList<>();
    Reading reading = null;
    for (String line : dump.lines().toList()) {
      Matcher thread = THREAD.matcher(line);
      Matcher mounted = MOUNTED.matcher(line);
      if (thread.lookingAt() || line.startsWith("\"")) {
        addTo(seen, reading);
        reading =
            thread.lookingAt()
                ? new Reading(Long.parseLong(thread.group(2)), thread.group(1), null)
                : null;
      } else if (mounted.lookingAt() && reading != null) {
        addTo(seen, reading);
        long id = Long.parseLong(mounted.group(1));
        reading = new Reading(id, "#" + id, reading.id);
      } else if (reading != null) {
        reading.add(line.strip());
      }
    }
    addTo(seen, reading);
    return seen;
  }

  private static void addTo(List<SeenThread> seen, @Nullable Reading reading) {
    if (reading != null) {
      seen.add(reading.thread());
    }
  }

  /** A thread of which the dump is being parsed. */
  private static final class Reading {
    private final long id;
    private final String name;
    private final @Nullable Long carrierId;
    private final List<String> stack = new ArrayList<>();
    private String state = "RUNNABLE";

    Reading(long id, String name, @Nullable Long carrierId) {
      this.id = id;
      this.name = name;
      this.carrierId = carrierId;
    }

    void add(String line) {
      if (line.startsWith(STATE)) {
        state = line.substring(STATE.length()).split(" ", 2)[0];
      } else if (line.startsWith(FRAME)) {
        stack.add(line.substring(FRAME.length()));
      }
    }

    SeenThread thread() {
      return new SeenThread(id, name, carrierId != null, state, stack, carrierId);
    }
  }

  boolean isIdle() {
    return stack.isEmpty()
        || stack.stream().limit(FRAMES_OF_PARKING).anyMatch(SeenThread::isIdleFrame);
  }

  private static boolean isIdleFrame(String frame) {
    int method = frame.indexOf('(');
    String name = method < 0 ? frame : frame.substring(0, method);
    return IDLE.contains(name.substring(name.indexOf('/') + 1));
  }

  boolean is(HotThreadsQuery.Kind kind) {
    return switch (kind) {
      case CPU -> state.equals("RUNNABLE");
      case WAIT -> state.equals("WAITING") || state.equals("TIMED_WAITING");
      case BLOCK -> state.equals("BLOCKED");
    };
  }
}
