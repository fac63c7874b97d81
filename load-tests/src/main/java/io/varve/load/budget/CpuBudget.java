package io.varve.load.budget;

import java.util.EnumMap;
import java.util.Map;

/**
 * The CPU time of one process by stage.
 *
 * <p>The threads of the JVM are measured. The rest of the process's time is that of Java code; it
 * is divided in proportion to the samples of the stages. The stages therefore add up to the time of
 * the process, however many samples were lost.
 *
 * @param sampledShare the time that samples represent, relative to the measured time of Java code
 */
public record CpuBudget(Map<Stage, Double> seconds, double sampledShare) {

  public CpuBudget {
    seconds = Map.copyOf(seconds);
  }

  /**
   * @param measured as {@link ThreadTimes#since} returns it
   * @param sampledNanos the CPU time that the samples of each stage represent
   */
  public static CpuBudget of(Map<Stage, Double> measured, Map<Stage, Long> sampledNanos) {
    Map<Stage, Double> seconds = new EnumMap<>(measured);
    double java = measured.getOrDefault(Stage.OTHER, 0.0);
    double sampled = sampledNanos.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    if (sampled == 0) {
      return new CpuBudget(seconds, 0);
    }
    seconds.put(Stage.OTHER, 0.0);
    sampledNanos.forEach(
        (stage, nanos) -> seconds.merge(stage, nanos / 1e9 / sampled * java, Double::sum));
    return new CpuBudget(seconds, java == 0 ? 0 : sampled / java);
  }

  public double of(Stage stage) {
    return seconds.getOrDefault(stage, 0.0);
  }

  public double total() {
    return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
