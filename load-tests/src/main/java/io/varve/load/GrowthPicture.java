package io.varve.load;

import io.varve.load.plot.Axis;
import io.varve.load.plot.Panel;
import io.varve.load.plot.SvgPlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The picture of one part of {@code bench growth machine}.
 *
 * @param what the counted objects, for example {@code shards}
 * @param logarithmic whether the sizes are shown on a logarithmic axis, which has no place for 0
 */
record GrowthPicture(String what, boolean logarithmic, GrowthResults results) {

  /**
   * @param conditions of the measurement
   */
  SvgPlot plot(List<String> conditions) {
    List<Panel> panels = new ArrayList<>();
    panels.add(costs());
    Map<Integer, Weight> weights = placed(results.weights());
    if (!weights.isEmpty()) {
      panels.add(clusterState(weights));
      panels.add(
          panel(
              "Heap after a full collection",
              "MB",
              byKind(weights, Weight.OfProcesses::heapMegabytes)));
      panels.add(
          panel("Resident memory", "MB", byKind(weights, Weight.OfProcesses::residentMegabytes)));
      panels.add(panel("Threads", "threads", byKind(weights, Weight.OfProcesses::threads)));
      panels.add(idle(weights));
    }
    return new SvgPlot("What " + what + " cost on one machine", conditions, panels);
  }

  private Panel costs() {
    Map<Integer, List<GrowthResults.Round>> rounds = placed(results.rounds());
    List<Panel.Series> series = new ArrayList<>();
    results.kinds().forEach(kind -> series.add(costs(kind, rounds, costs -> costs.per100k(kind))));
    series.add(costs("all", rounds, ProcessCosts::totalPer100k));
    return panel("CPU time of documents", "CPU seconds per 100,000 documents", series);
  }

  private static Panel.Series costs(
      String name,
      Map<Integer, List<GrowthResults.Round>> rounds,
      ToDoubleFunction<ProcessCosts> value) {
    return series(
        name, rounds, runs -> RunStats.median(runs, round -> value.applyAsDouble(round.costs())));
  }

  private Panel clusterState(Map<Integer, Weight> weights) {
    Map<Integer, List<GrowthResults.Round>> rounds = placed(results.rounds());
    return new Panel(
        "Cluster state",
        axis(),
        Axis.logarithmic("milliseconds"),
        List.of(
            series(
                "creation, to green",
                rounds,
                runs -> RunStats.median(runs, round -> round.created().greenMillis())),
            series(
                "creation, applied",
                rounds,
                runs -> RunStats.median(runs, round -> round.created().appliedMillis())),
            series("_cluster/state", weights, Weight::stateMillis)));
  }

  private Panel idle(Map<Integer, Weight> weights) {
    return panel(
        "CPU time while idle",
        "percent of a core",
        List.of(
            series("all", weights, w -> 100 * w.sum(Weight.OfProcesses::idleSeconds)),
            series(
                "without compilers",
                weights,
                w -> 100 * w.sum(of -> of.idleSeconds() - of.compilerSeconds()))));
  }

  private List<Panel.Series> byKind(
      Map<Integer, Weight> weights, ToDoubleFunction<Weight.OfProcesses> value) {
    return results.weighedKinds().stream()
        .map(kind -> series(kind, weights, weight -> value.applyAsDouble(weight.of(kind))))
        .toList();
  }

  private Panel panel(String title, String unit, List<Panel.Series> series) {
    return new Panel(title, axis(), Axis.linear(unit), series);
  }

  private Axis axis() {
    return logarithmic ? Axis.logarithmic(what) : Axis.linear(what);
  }

  /** The sizes that the axis can show. */
  private <T> Map<Integer, T> placed(Map<Integer, T> bySize) {
    Map<Integer, T> placed = new TreeMap<>(bySize);
    if (logarithmic) {
      placed.remove(0);
    }
    return placed;
  }

  private static <T> Panel.Series series(
      String name, Map<Integer, T> bySize, ToDoubleFunction<T> value) {
    return new Panel.Series(
        name,
        bySize.entrySet().stream()
            .map(size -> new Panel.Point(size.getKey(), value.applyAsDouble(size.getValue())))
            .toList());
  }
}
