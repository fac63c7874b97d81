package io.varve.standalone.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkConditionsTest {

  @ParameterizedTest
  @CsvSource({
    "'delay=60ms,rate=50mbit,loss=0.1%',60,50000000,0.1",
    "'loss=50%,delay=10s',10000,0,50",
    "delay=0ms,0,0,0",
    "rate=8kbit,0,8000,0",
    "rate=1.5gbit,0,1500000000,0",
    "rate=100GBIT,0,100000000000,0"
  })
  void partsCanBeInAnyOrderAndLeftOut(String text, long millis, long bits, double percent) {
    assertThat(LinkConditions.parse(text)).isEqualTo(new LinkConditions(millis, bits, percent));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | unknown part [] in []; parts are delay=60ms, rate=50mbit, loss=0.1%",
        "delay=60ms, | unknown part [] in [delay=60ms,]; parts are delay=60ms, rate=50mbit,"
            + " loss=0.1%",
        "jitter=5ms | unknown part [jitter] in [jitter=5ms]; parts are delay=60ms, rate=50mbit,"
            + " loss=0.1%",
        "delay=1ms,delay=2ms | [delay] is given twice in [delay=1ms,delay=2ms]",
        "delay | delay must be a time such as 60ms or 1s, was []",
        "delay=60 | delay must be a time such as 60ms or 1s, was [60]",
        "delay=-1ms | delay must be a time such as 60ms or 1s, was [-1ms]",
        "delay=11s | delay must be 0ms to 10s, was 11000ms",
        "rate=50 | rate must be one such as 512kbit, 50mbit or 1gbit, was [50]",
        "rate=0mbit | rate must be 8kbit to 100gbit per second, was [0mbit]",
        "rate=7.999kbit | rate must be 8kbit to 100gbit per second, was 7999 bits per second",
        "rate=101gbit | rate must be 8kbit to 100gbit per second, was 101000000000 bits per second",
        "loss=0.1 | loss must be a share such as 0.1%, was [0.1]",
        "loss=50.1% | loss must be 0% to 50%, was 50.1%"
      })
  void anythingElseIsRefusedWithTheReason(String text, String reason) {
    assertThatThrownBy(() -> LinkConditions.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(reason);
  }

  @Test
  void aLossThatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> new LinkConditions(0, 0, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
