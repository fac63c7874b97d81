package io.varve.coordinator.rest.cluster;

import static io.varve.coordinator.rest.RestHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;

class HotThreadsEndpointTest {

  private final RestHarness rest = new RestHarness();

  @AfterEach
  void close() {
    rest.close();
  }

  @Test
  void asksEveryNodeAndAnswersInText() {
    MockHttpServletResponse answer = rest.call("GET /_nodes/hot_threads");
    assertThat(answer.getStatus()).isEqualTo(200);
    assertThat(answer.getContentType()).startsWith("text/plain");
    assertThat(text(answer).lines().filter(line -> line.startsWith("::: {")))
        .hasSize(rest.cluster.state().nodes().size());
    assertThat(text(answer))
        .contains(
            ": threads=3&interval_millis=500&snapshots=10&type=cpu&ignore_idle_threads=true\n");
  }

  @Test
  void asksTheNodesThatAreNamedForWhatIsWanted() {
    String answer =
        text(
            rest.call(
                "GET /_nodes/"
                    + FakeCluster.PRIMARY_NODE
                    + "/hot_threads?threads=1&interval=2s&snapshots=4&type=wait"
                    + "&ignore_idle_threads=false"));
    assertThat(answer.lines().filter(line -> line.startsWith("::: {"))).hasSize(1);
    assertThat(answer)
        .contains("{" + FakeCluster.PRIMARY_NODE + "}")
        .contains("threads=1&interval_millis=2000&snapshots=4&type=wait&ignore_idle_threads=false");
  }

  @ParameterizedTest
  @CsvSource({
    "type=heat, type not supported [heat]",
    "threads=0, [threads] must be between 1 and 1000",
    "interval=2m, [interval] must be between 1 and 60000",
    "snapshots=101, [snapshots] must be between 1 and 100"
  })
  void refusesWhatIsOutOfRange(String parameter, String reason) {
    MockHttpServletResponse answer = rest.call("GET /_nodes/hot_threads?" + parameter);
    assertThat(answer.getStatus()).isEqualTo(400);
    assertThat(text(answer)).contains(reason);
  }
}
