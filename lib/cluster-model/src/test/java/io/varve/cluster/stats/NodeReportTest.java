package io.varve.cluster.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.NodeDetails;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReportTest {

  @TempDir Path data;

  @ParameterizedTest
  @CsvSource({
    "Eden Space, young",
    "G1 Eden Space, young",
    "PS Survivor Space, survivor",
    "Tenured Gen, old",
    "G1 Old Gen, old",
    "Metaspace, Metaspace",
  })
  void poolsHaveTheNamesThatToolsLookFor(String pool, String name) {
    assertThat(JvmStats.generation(pool)).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({
    "Copy, young",
    "MarkSweepCompact, old",
    "G1 Young Generation, young",
    "G1 Old Generation, old",
    "G1 Concurrent GC, G1 Concurrent GC",
  })
  void collectorsHaveTheNamesThatToolsLookFor(String bean, String name) {
    assertThat(JvmStats.collectorName(bean)).isEqualTo(name);
  }

  @Test
  void theFieldsThatBenchmarkToolsRequireArePresent() {
    NodeDetails figures = new NodeReport(data, InstantSource.system()).read();

    for (String collector : new String[] {"young", "old"}) {
      assertThat(figures.number(-1, "jvm", "gc", "collectors", collector, "collection_count"))
          .isNotNegative();
      assertThat(
              figures.number(-1, "jvm", "gc", "collectors", collector, "collection_time_in_millis"))
          .isNotNegative();
    }
    for (String pool : new String[] {"young", "survivor", "old"}) {
      assertThat(figures.number(-1, "jvm", "mem", "pools", pool, "peak_used_in_bytes"))
          .isNotNegative();
    }
    assertThat(figures.stats("thread_pool").keySet().stream().map(String::valueOf))
        .contains("search", "write", "get", "refresh", "flush", "force_merge", "generic");
    assertThat(figures.number(-1, "fs", "total", "total_in_bytes")).isPositive();
    assertThat(figures.number(-1, "indexing_pressure", "memory", "limit_in_bytes")).isZero();
  }

  @Test
  void workIsCountedWhileAndAfterItIsDone() {
    Pool search = new Pools().of("search");
    search.begin();
    search.begin();
    search.end();

    assertThat(search.stats())
        .containsEntry("active", 1)
        .containsEntry("largest", 2L)
        .containsEntry("completed", 1L);
  }

  @Test
  void turnsAreReportedAsWorkOfTheirPool() {
    Pool refresh = new Pools().of("refresh");
    refresh.with(
        new Pool.Turns() {
          @Override
          public int limit() {
            return 3;
          }

          @Override
          public int running() {
            return 2;
          }

          @Override
          public int mostRunning() {
            return 3;
          }

          @Override
          public int waiting() {
            return 7;
          }

          @Override
          public long ended() {
            return 40;
          }
        });
    refresh.begin();
    refresh.begin();
    refresh.end();

    assertThat(refresh.stats())
        .containsEntry("active", 3)
        .containsEntry("threads", 3)
        .containsEntry("queue", 7)
        .containsEntry("largest", 3L)
        .containsEntry("completed", 41L);
    assertThat(refresh.info()).containsEntry("max", 3);
  }

  @Test
  void anAddedSectionReplacesTheOneOfTheSameName() {
    NodeReport report = new NodeReport(data, InstantSource.system());
    report.section("breakers", () -> Map.of("request", Map.of("tripped", 3)));

    assertThat(report.read().number(0, "breakers", "request", "tripped")).isEqualTo(3);
  }
}
