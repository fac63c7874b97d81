package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacedClientsTest {

  @ParameterizedTest
  @CsvSource({"5,1,0 1 2 3 4", "5,2,0 2 4|1 3", "4,4,0|1|2|3", "2,8,0|1"})
  void eachBulkIsSentByOneClient(int bulks, int clients, String dealt) {
    List<byte[]> bodies = IntStream.range(0, bulks).mapToObj(i -> new byte[] {(byte) i}).toList();

    assertThat(
            PacedClients.parts(bodies, clients).stream()
                .map(part ->
                    String.join(" ", part.stream().map(body -> Byte.toString(body[0])).toList()))
                .toList())
        .isEqualTo(List.of(dealt.split("\\|")));
  }
}
