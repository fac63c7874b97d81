package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.varve.load.plot.Panel;
import io.varve.load.plot.SvgPlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the arithmetic of {@code bench growth machine}, its tables and its pictures. */
class GrowthMachineTest {

  private static GrowthResults.Round round(double broker, double shardService, double green) {
    return new GrowthResults.Round(
        new ProcessCosts(40_000, Map.of("broker", broker, "shard-service", shardService)),
        new IndexLayout.Created(green / 4, green));
  }

  private static Weight weight(double heap, double idle) {
    return new Weight(
        Map.of(
            "broker", new Weight.OfProcesses(heap, 300, 80, idle, idle / 2),
            "shard-service", new Weight.OfProcesses(2 * heap, 400, 30, idle, 0)),
        7.25);
  }

  private static GrowthResults results() {
    GrowthResults results = new GrowthResults();
    results.add(200, round(1, 3.5, 4_000));
    results.add(200, round(1, 2.5, 6_000));
    results.add(1, round(0.5, 1.5, 100));
    results.add(1, round(0.5, 2, 200));
    results.weighed(200, weight(60, 0.04));
    results.weighed(1, weight(30, 0.02));
    results.weighed(0, weight(29.6, 0.01));
    return results;
  }

  @Test
  void theTablesHaveMediansInRisingOrderAndRatiosOfEachRound() {
    assertThat(new GrowthTables("shards", results()).markdown())
        .isEqualTo(
            """
            | shards | CPU s/100k | to the smallest (range) | broker | shard-service | docs/s | creation applied, ms | green after, ms |
            |---|---|---|---|---|---|---|---|
            | 1 | 2.25 |  | 0.50 | 1.75 | 40000 | 38 | 150 |
            | 200 | 4.00 | 1.82 (1.40-2.25) | 1.00 | 3.00 | 40000 | 1250 | 5000 |

            | shards | heap of broker, MB | heap of shard-service, MB | RSS, MB | threads | idle, % of a core | of it compilers | state, ms |
            |---|---|---|---|---|---|---|---|
            | 0 | 30 | 59 | 700 | 110 | 2.0 | 0.5 | 7.3 |
            | 1 | 30 | 60 | 700 | 110 | 4.0 | 1.0 | 7.3 |
            | 200 | 60 | 120 | 700 | 110 | 8.0 | 2.0 | 7.3 |
            """);
  }

  @Test
  void whatWasNotWeighedHasOneTable() {
    GrowthResults results = new GrowthResults();
    results.add(0, round(1, 1, Double.NaN));

    assertThat(new GrowthTables("followers", results).markdown())
        .isEqualTo(
            """
            | followers | CPU s/100k | to the smallest (range) | broker | shard-service | docs/s |
            |---|---|---|---|---|---|
            | 0 | 2.00 |  | 1.00 | 1.00 | 40000 |
            """);
    assertThat(new GrowthPicture("followers", false, results).plot(List.of()).panels())
        .extracting(Panel::title)
        .containsExactly("CPU time of documents");
  }

  @Test
  void thePictureShowsTheMediansOfTheTable() {
    SvgPlot picture = new GrowthPicture("shards", true, results()).plot(List.of("2 cores"));

    assertThat(picture.title()).isEqualTo("What shards cost on one machine");
    assertThat(picture.panels()).hasSize(6);
    Panel costs = picture.panels().getFirst();
    assertThat(costs.series())
        .extracting(Panel.Series::name)
        .containsExactly("broker", "shard-service", "all");
    assertThat(costs.series().getLast().points())
        .containsExactly(new Panel.Point(1, 2.25), new Panel.Point(200, 4));
  }

  @Test
  void aLogarithmicAxisLeavesOutTheEmptyCluster() {
    Panel idle = new GrowthPicture("shards", true, results()).plot(List.of()).panels().getLast();

    assertThat(idle.series().getLast().points())
        .extracting(Panel.Point::x)
        .containsExactly(1.0, 200.0);
    assertThat(idle.series().getLast().points().getLast().y()).isCloseTo(6, within(1e-9));
  }

  @Test
  void processesOfOneKindAreAddedUp() {
    Weight.OfProcesses one = new Weight.OfProcesses(10, 100, 20, 0.25, 0.125);

    assertThat(one.plus(one)).isEqualTo(new Weight.OfProcesses(20, 200, 40, 0.5, 0.25));
    assertThat(weight(30, 0.5).sum(Weight.OfProcesses::heapMegabytes)).isEqualTo(90);
  }

  @Test
  void theQuickSizesAreAmongTheFullOnes() {
    GrowthSizes full = GrowthSizes.FULL;
    GrowthSizes quick = GrowthSizes.QUICK;

    assertThat(full.shards()).containsExactly(1, 10, 50, 200).containsAll(quick.shards());
    assertThat(full.indices()).containsExactly(1, 5, 20).containsAll(quick.indices());
    assertThat(full.replicas()).containsExactly(0, 1, 2, 5, 9).containsAll(quick.replicas());
    assertThat(full.followers()).containsExactly(0, 1, 2, 3).containsAll(quick.followers());
    assertThat(full.rounds().warmUp()).isGreaterThanOrEqualTo(10);
  }

  @Test
  void theConditionsNameTheMachineAndTheRounds() {
    assertThat(GrowthSizes.FULL.conditions("512m", 2, 24L << 30).toString())
        .contains("2 cores, 24 GB", "50,000 documents a round", "heap of each process at most 512m")
        .contains("median of 3 rounds after 10 of warm-up", "idle: 15 s, after 8 s");
  }

  @Test
  void indicesOfALayoutHaveTheSameNumberOfShards() {
    assertThat(new IndexLayout(2, 4, 0).names()).containsExactly("growth-0", "growth-1");
    assertThat(IndexLayout.NONE.names()).isEmpty();
    assertThatThrownBy(() -> new IndexLayout(3, 20, 0))
        .hasMessageContaining("20 shards can't be divided among 3 indices");
  }

  @Test
  void onlyTheNamedSectionIsReplaced() {
    String text = "a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb\n";

    assertThat(new MarkedSection("x").replacedIn(text, "new\n"))
        .isEqualTo("a\n<!-- generated: x -->\nnew\n<!-- end: x -->\nb\n");
    assertThatThrownBy(() -> new MarkedSection("y").replacedIn(text, "new\n"))
        .hasMessageContaining("no section [y]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"shards", "indices", "replicas", "followers"})
  void thePageHasASectionForEachPart(String part) throws IOException {
    Path page = Path.of(System.getProperty("basedir", "."), "..", "docs", "benchmarks.md");

    assertThat(new MarkedSection("growth " + part).replacedIn(Files.readString(page), ""))
        .isNotEmpty();
  }
}
