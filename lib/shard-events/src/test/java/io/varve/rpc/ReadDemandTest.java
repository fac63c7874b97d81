package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadDemandTest {

  @Test
  void isReadFromItsHeaders() {
    for (ReadDemand demand :
        new ReadDemand[] {
          ReadDemand.NONE,
          new ReadDemand(0, -1, 5),
          new ReadDemand(-1, 0, 0),
          new ReadDemand(7, 2, 9)
        }) {
      Map<String, String> headers = demand.headers();
      assertThat(ReadDemand.of(headers::get)).isEqualTo(demand);
    }
    assertThat(ReadDemand.NONE.headers()).isEmpty();
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new ReadDemand(-2, -1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ReadDemand.of(Map.of(ReadDemand.WAIT, "x")::get))
        .isInstanceOf(NumberFormatException.class);
  }
}
