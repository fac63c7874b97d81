package io.varve.cluster.figures;

import io.varve.events.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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

  /** Where a thread without work is found: in the first frame that is not one of parking. */
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

  SeenThread {
    stack = List.copyOf(stack);
  }

  /** The threads of a dump in the JVM's JSON. */
  static List<SeenThread> parse(byte[] dump) {
    List<SeenThread> seen = new ArrayList<>();
    for (JsonNode container :
        Json.mapper().readTree(dump).path("threadDump").path("threadContainers")) {
      for (JsonNode thread : container.path("threads")) {
        seen.add(of(thread));
      }
    }
    return seen;
  }

  private static SeenThread of(JsonNode thread) {
    List<String> stack = new ArrayList<>();
    thread.path("stack").forEach(frame -> stack.add(frame.asString("")));
    String name = thread.path("name").asString("");
    long id = thread.path("tid").asLong();
    return new SeenThread(
        id,
        name.isEmpty() ? "#" + id : name,
        thread.path("virtual").asBoolean(false),
        thread.path("state").asString(""),
        stack,
        thread.has("carrier") ? thread.path("carrier").asLong() : null);
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
