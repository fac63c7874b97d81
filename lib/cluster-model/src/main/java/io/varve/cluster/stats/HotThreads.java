package io.varve.cluster.stats;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reports the hottest threads of several thread dumps as text.
 *
 * <p>For CPU, threads are ranked by the CPU time of each platform thread. Virtual threads have no
 * CPU time of their own; a carrier shows the stacks of the virtual threads mounted on it. For wait
 * and block, threads are ranked by the share of dumps in which a thread, virtual or not, was in
 * that state.
 */
final class HotThreads {

  private static final double NANOS_PER_MILLI = 1e6;

  private final HotThreadsQuery query;
  private final double elapsedNanos;
  private final List<List<SeenThread>> dumps;

  /**
   * @param elapsedNanos the time over which {@code dumps} were taken
   */
  HotThreads(HotThreadsQuery query, long elapsedNanos, List<List<SeenThread>> dumps) {
    this.query = query;
    this.elapsedNanos = Math.max(1, elapsedNanos);
    this.dumps = dumps;
  }

  private record Hot(String name, double nanos, List<SeenThread> seen) {}

  /**
   * @param cpuNanos CPU time of the platform threads during the dumps, by id
   */
  String render(Instant now, Map<Long, Long> cpuNanos) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Hot threads at %s, interval=%dms, busiestThreads=%d, ignoreIdleThreads=%b:\n",
            now,
            query.intervalMillis(),
            query.threads(),
            query.ignoreIdle()));
    List<Hot> hot = query.kind() == HotThreadsQuery.Kind.CPU ? byCpu(cpuNanos) : byState();
    hot.stream()
        .filter(
            thread -> !query.ignoreIdle() || !thread.seen().stream().allMatch(SeenThread::isIdle))
        .sorted(Comparator.comparingDouble(Hot::nanos).reversed().thenComparing(Hot::name))
        .limit(query.threads())
        .forEach(thread -> render(thread, text));
    return text.toString();
  }

  private List<Hot> byCpu(Map<Long, Long> cpuNanos) {
    Map<Long, String> names = new LinkedHashMap<>();
    Map<Long, List<SeenThread>> own = new LinkedHashMap<>();
    Map<Long, List<SeenThread>> mounted = new LinkedHashMap<>();
    for (List<SeenThread> dump : dumps) {
      for (SeenThread thread : dump) {
        Long carrier = thread.carrierId();
        if (carrier != null) {
          mounted.computeIfAbsent(carrier, _ -> new ArrayList<>()).add(thread);
        } else if (!thread.virtual()) {
          names.put(thread.id(), thread.name());
          own.computeIfAbsent(thread.id(), _ -> new ArrayList<>()).add(thread);
        }
      }
    }
    List<Hot> hot = new ArrayList<>();
    names.forEach((id, name) -> {
      long nanos = cpuNanos.getOrDefault(id, 0L);
      if (nanos > 0) {
        hot.add(new Hot(name, nanos, mounted.getOrDefault(id, own.getOrDefault(id, List.of()))));
      }
    });
    return hot;
  }

  private List<Hot> byState() {
    Map<Long, List<SeenThread>> inState = new LinkedHashMap<>();
    for (List<SeenThread> dump : dumps) {
      for (SeenThread thread : dump) {
        if (thread.is(query.kind())) {
          inState.computeIfAbsent(thread.id(), _ -> new ArrayList<>()).add(thread);
        }
      }
    }
    return inState.values().stream()
        .map(seen ->
            new Hot(seen.getFirst().name(), elapsedNanos * seen.size() / dumps.size(), seen))
        .toList();
  }

  private void render(Hot thread, StringBuilder text) {
    text.append(
        String.format(
            Locale.ROOT,
            "\n%5.1f%% (%.1fms out of %.1fms) %s usage by thread '%s'\n",
            100 * thread.nanos() / elapsedNanos,
            thread.nanos() / NANOS_PER_MILLI,
            elapsedNanos / NANOS_PER_MILLI,
            query.kind(),
            thread.name()));
    Map<List<String>, List<SeenThread>> byStack = new LinkedHashMap<>();
    thread
        .seen()
        .forEach(seen -> byStack.computeIfAbsent(seen.stack(), _ -> new ArrayList<>()).add(seen));
    byStack.values().stream()
        .sorted(Comparator.comparingInt((List<SeenThread> alike) -> alike.size()).reversed())
        .forEach(alike -> render(alike, text));
  }

  private void render(List<SeenThread> alike, StringBuilder text) {
    SeenThread one = alike.getFirst();
    String virtual = one.virtual() ? " of virtual thread '" + one.name() + "'" : "";
    text.append(
        alike.size() == 1
            ? String.format(Locale.ROOT, "  unique snapshot%s\n", virtual)
            : String.format(
                Locale.ROOT,
                "  %d/%d snapshots%s sharing following %d elements\n",
                alike.size(),
                dumps.size(),
                virtual,
                one.stack().size()));
    one.stack().forEach(frame -> text.append("    ").append(frame).append('\n'));
  }
}
