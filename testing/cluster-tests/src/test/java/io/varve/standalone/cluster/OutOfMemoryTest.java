package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Under load, the heap of a process fills up, whatever its circuit breakers account for. The flags
 * in {@code jvm.options} end the process with a heap dump, the launcher restarts it, and afterwards
 * every acked document exists exactly once on the primary and on the replica.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class OutOfMemoryTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  private RunningCluster cluster;

  @BeforeEach
  void take(RunningCluster shared) throws InterruptedException {
    cluster = shared;
    cluster.awaitGreen();
  }

  @ParameterizedTest
  @ValueSource(strings = {"shard-service-1", "coordinator-1"})
  void aProcessWithoutMemoryDumpsItsHeapExitsAndComesBackWithEveryAckedDocument(String process)
      throws Exception {
    String index = "exhausted-" + process;
    cluster
        .rest()
        .call(
            "PUT",
            "/" + index,
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms"},
             "mappings":{"properties":{"n":{"type":"integer"},"text":{"type":"text"}}}}\
            """)
        .orThrow();
    cluster.awaitGreen();
    long exhausted = cluster.pid(process);
    NumberedLoad load = new NumberedLoad(cluster.rest(), index);
    try (load) {
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() >= 200);
      cluster.exhaustHeap(process);
      Awaitility.await().atMost(WITHIN).until(() -> cluster.pid(process) != exhausted);
      int ackedBefore = load.ackedCount();
      Awaitility.await().atMost(WITHIN).until(() -> load.ackedCount() > ackedBefore + 200);
    }
    assertThat(cluster.output(process))
        .contains("Terminating due to java.lang.OutOfMemoryError: Java heap space");
    assertThat(cluster.heapDump(process)).isNotEmptyFile();
    Files.delete(cluster.heapDump(process));
    cluster.awaitGreen();
    cluster.rest().call("POST", "/" + index + "/_refresh", "").orThrow();
    for (String copy : List.of("_primary", "_replica")) {
      Await.within(WITHIN).untilAsserted(() -> load.assertEachAckedOnceOn(copy));
    }
  }
}
