package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Checks that every kind of service reports its hot threads. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class HotThreadsTest {

  @Test
  void areToldByEachNode(ServicesInOneJvm services) throws Exception {
    RestCalls.Answer answer =
        services
            .rest()
            .get(
                "/_nodes/hot_threads?interval=50ms&snapshots=2&type=wait&ignore_idle_threads=false")
            .orThrow();
    for (String node : new String[] {"coordinator", "shard-1", "replica-1", "search-1"}) {
      assertThat(answer.text()).contains("::: {" + node + "}");
    }
    assertThat(answer.text()).contains("wait usage by thread").doesNotContain("no answer");
  }
}
