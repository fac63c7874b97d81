package io.varve.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/**
 * A metric that a process exports. Each one is a static field of the class that registers it; the
 * page docs/operations/metrics.md is generated from these fields, and dashboards and alerts are
 * checked against them.
 *
 * <p>Names are lower case with dots, which Prometheus shows as underscores. A name ends with its
 * base unit, where it has one: {@code seconds}, {@code bytes}. Prometheus appends {@code _total} to
 * a counter, and {@code _seconds} and the parts of a distribution to a timer.
 *
 * @param labels in the order in which their values are given
 * @param help one sentence without a period
 */
public record Metric(String name, Kind kind, List<String> labels, String help) {

  /** How a metric changes. */
  public enum Kind {
    /** A value that rises and falls. */
    GAUGE,
    /** A value that only rises, until the process starts again. */
    COUNTER,
    /** The number of some events, the sum of their durations and the longest recent one. */
    TIMER,
    /** A timer with buckets, from which quantiles are estimated. */
    HISTOGRAM
  }

  private static final Pattern NAME = Pattern.compile("[a-z]+(\\.[a-z0-9]+)+");
  private static final Pattern LABEL = Pattern.compile("[a-z]+(_[a-z]+)*");
  private static final Pattern OTHER_UNIT =
      Pattern.compile(".*\\.(millis|nanos|micros|ms|ns|us|s|kb|mb|gb|percent)(\\..*)?");

  public Metric {
    labels = List.copyOf(labels);
    if (!NAME.matcher(name).matches() || OTHER_UNIT.matcher(name).matches()) {
      throw new IllegalArgumentException("not a name of a metric with a base unit: " + name);
    }
    if (name.endsWith(".total") || name.endsWith(".count") || name.endsWith(".sum")) {
      throw new IllegalArgumentException("a suffix that Prometheus appends: " + name);
    }
    if (!labels.stream().allMatch(label -> LABEL.matcher(label).matches())) {
      throw new IllegalArgumentException("not names of labels: " + labels + " of " + name);
    }
    if (help.isBlank() || help.endsWith(".")) {
      throw new IllegalArgumentException("help must be a sentence without a period: " + name);
    }
  }

  public static Metric gauge(String name, String help, String... labels) {
    return new Metric(name, Kind.GAUGE, List.of(labels), help);
  }

  public static Metric counter(String name, String help, String... labels) {
    return new Metric(name, Kind.COUNTER, List.of(labels), help);
  }

  public static Metric timer(String name, String help, String... labels) {
    return new Metric(name, Kind.TIMER, List.of(labels), help);
  }

  public static Metric histogram(String name, String help, String... labels) {
    return new Metric(name, Kind.HISTOGRAM, List.of(labels), help);
  }

  /** The names under which Prometheus shows it. */
  public List<String> series() {
    List<String> suffixes =
        switch (kind) {
          case GAUGE -> List.of("");
          case COUNTER -> List.of("_total");
          case TIMER -> List.of("_seconds_count", "_seconds_sum", "_seconds_max");
          case HISTOGRAM ->
              List.of("_seconds_count", "_seconds_sum", "_seconds_max", "_seconds_bucket");
        };
    return suffixes.stream().map(suffix -> name.replace('.', '_') + suffix).toList();
  }

  /** Registers a gauge or a counter whose value is computed when it is read. */
  public <T> Meter register(
      MeterRegistry meters, T object, ToDoubleFunction<T> value, String... labelValues) {
    return register(meters, object, value, tags(labelValues));
  }

  <T> Meter register(MeterRegistry meters, T object, ToDoubleFunction<T> value, Tags tags) {
    return switch (kind) {
      case GAUGE ->
          Gauge.builder(name, object, value)
              .description(help)
              .tags(tags)
              .strongReference(true)
              .register(meters);
      case COUNTER ->
          FunctionCounter.builder(name, object, value)
              .description(help)
              .tags(tags)
              .register(meters);
      case TIMER, HISTOGRAM -> throw new IllegalStateException(name + " is a timer");
    };
  }

  /**
   * Registers a timer, or returns the one that is registered already.
   *
   * @param buckets of a histogram; empty if they are configured elsewhere
   */
  public Timer timer(MeterRegistry meters, List<Duration> buckets, String... labelValues) {
    Timer.Builder timer = Timer.builder(name).description(help).tags(tags(labelValues));
    if (kind != Kind.TIMER && kind != Kind.HISTOGRAM) {
      throw new IllegalStateException(name + " is not a timer");
    }
    if (!buckets.isEmpty()) {
      timer.serviceLevelObjectives(buckets.toArray(Duration[]::new));
    }
    return timer.register(meters);
  }

  /** Registers a timer without buckets, or returns the one that is registered already. */
  public Timer timer(MeterRegistry meters, String... labelValues) {
    return timer(meters, List.of(), labelValues);
  }

  private Tags tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(
          name + " has the labels " + labels + ", but got " + values.length + " values");
    }
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      tags.add(Tag.of(labels.get(i), values[i]));
    }
    return Tags.of(tags);
  }
}
