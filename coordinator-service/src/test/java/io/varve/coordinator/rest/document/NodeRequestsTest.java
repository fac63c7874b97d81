package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeRequestsTest {

  private record Part(String name, String node, long bytes) {

    /** {@code name@node:bytes}. */
    static Part of(String text) {
      String[] parts = text.split("[@:]", 3);
      return new Part(parts[0], parts[1], Long.parseLong(parts[2]));
    }
  }

  private static final NodeRequests<Part> REQUESTS = new NodeRequests<>(Part::node, Part::bytes);

  private static String requests(String parts, long maxBytes) {
    List<Part> all = Arrays.stream(parts.split(" ")).map(Part::of).toList();
    return REQUESTS.of(all, maxBytes).stream()
        .map(request -> request.stream().map(Part::name).collect(Collectors.joining(" ")))
        .collect(Collectors.joining(" | "));
  }

  @ParameterizedTest
  @CsvSource({
    // One node, one request, whose parts stay in order.
    "a@1:5,                       100, a",
    "a@1:5 b@1:5 c@1:5,           100, a b c",
    // One request for each node, in the order of its first part.
    "a@2:5 b@1:5 c@2:5 d@1:5,     100, a c | b d",
    // The limit is reached, but not exceeded.
    "a@1:5 b@1:5 c@1:5 d@1:5,      10, a b | c d",
    "a@1:5 b@1:6 c@1:5 d@1:5,      10, a | b | c d",
    // A part is not divided; what follows begins another request.
    "a@1:50 b@1:5 c@1:5,           10, a | b c",
    "a@1:5 b@1:50 c@1:5,           10, a | b | c",
    // Each node has its own limit.
    "a@1:9 b@2:9 c@1:9 d@2:1,      10, a | b d | c",
    // Without requests for nodes.
    "a@1:5 b@1:0 c@2:5,             0, a | b | c"
  })
  void partsAreGroupedByNodeAndCutBySize(String parts, long maxBytes, String requests) {
    assertThat(requests(parts, maxBytes)).isEqualTo(requests);
  }

  @Test
  void partsOfNoSizeStayTogetherUnderALimit() {
    assertThat(requests("a@1:0 b@1:0", 1)).isEqualTo("a b");
    assertThat(REQUESTS.of(List.of(), 10)).isEmpty();
  }
}
