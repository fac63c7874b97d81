package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the arithmetic of {@code bench ccr}. */
class CcrArithmeticTest {

  @Test
  void cpuIsCountedPer100000Documents() {
    ProcessCosts costs =
        ProcessCosts.of(
            50_000,
            10,
            Map.of("broker", 7.0, "coordinator", 0.5),
            Map.of("broker", 8.0, "coordinator", 2.0, "shard-service", 2.5));

    assertThat(costs.documentsPerSecond()).isEqualTo(5_000);
    assertThat(costs.brokersPer100k()).isEqualTo(2);
    assertThat(costs.nodesPer100k()).isEqualTo(8);
    assertThat(costs.totalPer100k()).isEqualTo(10);
    assertThat(costs.per100k("coordinator")).isEqualTo(3);
    assertThat(costs.per100k("ccr-follower")).isNaN();
  }

  @ParameterizedTest
  @CsvSource({"broker-1,broker", "shard-service-12,shard-service", "peer-000,peer", "up,up"})
  void processesAreCountedByKind(String process, String kind) {
    assertThat(Processes.kind(process)).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({"100,75,25", "100,100,0", "80,100,-25"})
  void whatZstdSavesIsAShareOfLz4(double before, double after, double percent) {
    assertThat(CcrBytes.savedPercent(before, after)).isEqualTo(percent);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | -1",
        "{\"indices\":[{\"shards\":[{}]}]} | -1",
        "{\"indices\":[{\"shards\":[{\"lag_millis\":3},{\"lag_millis\":70},{\"lag_millis\":0}]}]} |"
            + " 70"
      })
  void theLagOfAnIndexIsThatOfItsSlowestShard(String stats, long millis) {
    assertThat(CcrLag.lagMillis(MeasuredServer.JSON.readTree(stats))).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | 0",
        "{\"indices\":[{\"shards\":[{},{}]}]} | 2",
        "{\"indices\":[{\"shards\":[{\"state\":\"PULLING\"},{\"state\":\"WAITING\"}]}]} | 1"
      })
  void aShardWithoutAStateCountsAsPulled(String stats, int shards) {
    assertThat(CcrPair.pulling(MeasuredServer.JSON.readTree(stats))).isEqualTo(shards);
  }

  @Test
  void onlyTheLinksToBrokersCarryDocuments() {
    String links =
        """
        {"links":[{"process":"broker-1","bytes_to_follower":5,"bytes_to_leader":100},
         {"process":"broker-2","bytes_to_follower":7},{"process":"coordinator-1","bytes_to_follower":50}]}
        """;
    assertThat(CcrPair.bytesToFollower(MeasuredServer.JSON.readTree(links))).isEqualTo(12);
  }
}
