package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.MalformedRecordException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeLoadTest {

  private static final NodeLoad LOAD =
      new NodeLoad(900, new NodeLoad.Queue(3, 4, 5), new NodeLoad.Times(7_896_963, 1.25, 12, 250));

  @Test
  void isReadAsItWasWritten() {
    assertThat(LOAD.toHeader()).isEqualTo("1;900;3;4;5;7896963;1.25;12;250");
    assertThat(NodeLoad.of(LOAD.toHeader())).isEqualTo(LOAD);
  }

  @Test
  void anotherFormatIsKnownAsSuch() {
    assertThat(NodeLoad.tryParse(LOAD.toHeader())).contains(LOAD);
    assertThat(NodeLoad.tryParse("2;busy")).isEmpty();
    assertThat(NodeLoad.tryParse("1;busy")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1;9;3;4;5;1;1;1",
        "1;9;3;4;0;1;1;1;1",
        "1;9;x;4;5;1;1;1;1",
        "1;9;3;4;5;-1;1;1;1",
        "1;9;3;4;5;1;NaN;1;1"
      })
  void nonsenseIsRefused(String header) {
    assertThatThrownBy(() -> NodeLoad.of(header)).isInstanceOf(MalformedRecordException.class);
  }
}
