package io.varve.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that rows come, go and are merged. */
class RowMetersTest {

  private record Row(String index, int shard, double lag, double bytes, double files) {}

  private static final Metric LAG = Metric.gauge("t.lag.seconds", "lag", "index", "shard");
  private static final Metric BYTES = Metric.gauge("t.held.bytes", "bytes", "index", "shard");
  private static final Metric FILES = Metric.counter("t.files", "files", "index", "shard");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RowMeters<Row> rows =
      new RowMeters<>(
          registry,
          2,
          List.of(
              RowMeters.Column.max(LAG, Row::lag),
              RowMeters.Column.sum(BYTES, Row::bytes),
              RowMeters.Column.sum(FILES, Row::files)),
          row -> Tags.of("index", row.index(), "shard", Integer.toString(row.shard())));

  private double gauge(String name, String index, String shard) {
    Gauge gauge = registry.find(name).tags("index", index, "shard", shard).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private double files(String index, String shard) {
    FunctionCounter counter =
        registry.find("t.files").tags("index", index, "shard", shard).functionCounter();
    return counter == null ? Double.NaN : counter.count();
  }

  @Test
  void aRowHasItsValuesUntilItIsGone() {
    rows.renew(List.of(new Row("a", 0, 1, 10, 5), new Row("a", 1, 2, 20, 6)));
    assertThat(gauge("t.lag.seconds", "a", "1")).isEqualTo(2);
    assertThat(files("a", "0")).isEqualTo(5);

    rows.renew(List.of(new Row("a", 1, 3, 20, 8)));

    assertThat(gauge("t.lag.seconds", "a", "1")).isEqualTo(3);
    assertThat(files("a", "1")).isEqualTo(8);
    assertThat(gauge("t.lag.seconds", "a", "0")).isNaN();
    assertThat(registry.getMeters()).hasSize(3);
  }

  @Test
  void anUnknownValueHasNoSeries() {
    rows.renew(List.of(new Row("a", 0, 1, 10, 5)));
    rows.renew(List.of(new Row("a", 0, Double.NaN, 10, 5)));

    assertThat(registry.find("t.lag.seconds").meters()).isEmpty();

    rows.renew(List.of(new Row("a", 0, 7, 10, 5)));

    assertThat(gauge("t.lag.seconds", "a", "0")).isEqualTo(7);
  }

  @Test
  void moreRowsThanTheLimitAreMergedByIndex() {
    rows.renew(
        List.of(
            new Row("a", 0, 1, 10, 5),
            new Row("a", 1, 4, 20, 6),
            new Row("b", 0, Double.NaN, 30, 7)));

    assertThat(gauge("t.lag.seconds", "a", "all")).isEqualTo(4);
    assertThat(gauge("t.held.bytes", "a", "all")).isEqualTo(30);
    assertThat(files("a", "all")).isEqualTo(11);
    assertThat(gauge("t.lag.seconds", "b", "all")).isNaN();
    assertThat(files("b", "all")).isEqualTo(7);
    assertThat(gauge("t.lag.seconds", "a", "0")).isNaN();
  }

  @Test
  void aMergedCounterNeverFalls() {
    rows.renew(
        List.of(new Row("a", 0, 0, 0, 5), new Row("a", 1, 0, 0, 6), new Row("a", 2, 0, 0, 7)));
    assertThat(files("a", "all")).isEqualTo(18);

    // One shard leaves, one is restarted, one grows, one arrives.
    rows.renew(
        List.of(new Row("a", 1, 0, 0, 2), new Row("a", 2, 0, 0, 9), new Row("a", 3, 0, 0, 1)));

    assertThat(files("a", "all")).isEqualTo(18 + 2 + 2 + 1);
  }

  @Test
  void belowTheLimitRowsAreSingleAgain() {
    rows.renew(
        List.of(new Row("a", 0, 0, 0, 5), new Row("a", 1, 0, 0, 6), new Row("a", 2, 0, 0, 7)));

    rows.renew(List.of(new Row("a", 0, 0, 0, 5)));

    assertThat(files("a", "all")).isNaN();
    assertThat(files("a", "0")).isEqualTo(5);
  }
}
