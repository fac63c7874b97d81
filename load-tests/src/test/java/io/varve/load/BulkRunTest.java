package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BulkRunTest {

  private static List<String> bodies(Shape shape, int documents) {
    return new BulkRun(shape, Copies.NONE, documents, 1000, 4, "1s")
        .bodies().stream().map(body -> new String(body, UTF_8)).toList();
  }

  @ParameterizedTest
  @EnumSource
  void everyDocumentIsInOneBulkWithItsAction(Shape shape) {
    List<String> bodies = bodies(shape, 2500);

    assertThat(bodies.stream().map(body -> body.lines().count()))
        .containsExactly(2000L, 2000L, 1000L);
    assertThat(bodies)
        .allSatisfy(body -> {
          List<String> lines = body.lines().toList();
          for (int i = 0; i < lines.size(); i += 2) {
            assertThat(lines.get(i)).isEqualTo("{\"index\":{}}");
            assertThat(MeasuredServer.JSON.readTree(lines.get(i + 1)).isObject()).isTrue();
          }
        });
  }

  @Test
  void bothServersOfABenchAreSentTheSameDocuments() {
    assertThat(bodies(Shape.TAXIS, 1500)).isEqualTo(bodies(Shape.TAXIS, 1500));
  }

  @Test
  void aFailedBulkIsReportedWithItsFirstError() {
    assertThat(BulkRun.firstError("{\"items\":[{\"error\":{\"type\":\"mapper\"}}]}"))
        .startsWith("\"error\":{\"type\":\"mapper\"");
    assertThat(BulkRun.firstError("busy")).isEqualTo("busy");
  }
}
