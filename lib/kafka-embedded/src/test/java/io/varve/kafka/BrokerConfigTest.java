package io.varve.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class BrokerConfigTest {

  private static final Path DATA = Path.of("data");

  @Test
  void aBrokerAloneVotesForItself() {
    BrokerConfig alone =
        BrokerConfig.single(DATA, new BrokerConfig.Ports(0, 0), BrokerConfig.Flush.OS);
    assertThat(alone.brokers()).isEqualTo(1);
    assertThat(alone.at(9001, 9002).voters()).isEqualTo("1@127.0.0.1:9002");
  }

  @Test
  void severalKnowEachOtherByTheirVoters() {
    BrokerConfig one =
        new BrokerConfig(
            DATA,
            2,
            "127.0.0.1",
            new BrokerConfig.Ports(0, 12),
            "1@h:11,2@h:12,3@h:13",
            BrokerConfig.Flush.OS);
    assertThat(one.brokers()).isEqualTo(3);
    assertThat(one.at(9001, 12).voters()).isEqualTo("1@h:11,2@h:12,3@h:13");
  }

  @Test
  void othersAreToldWhereItListensUnlessSomethingStandsBetween() {
    assertThat(new BrokerConfig.Ports(9001, 9002).advertisedPort()).isEqualTo(9001);
    assertThat(new BrokerConfig.Ports(9001, 9002, 9003).advertisedPort()).isEqualTo(9003);
  }

  @Test
  void refusesNonsense() {
    assertThatThrownBy(() -> new BrokerConfig.Ports(-1, 0))
        .hasMessage("ports are 0 to 65535, were given -1, 0 and 0");
    assertThatThrownBy(() -> new BrokerConfig.Remote(9094, 0))
        .hasMessage(
            "the ports for other clusters are 1 to 65535, or both 0, were given 9094 and 0");
    assertThatThrownBy(() ->
            new BrokerConfig(DATA, 0, "h", new BrokerConfig.Ports(0, 0), "", BrokerConfig.Flush.OS))
        .hasMessage("a broker's node id is >= 1, was 0");
    assertThatThrownBy(() ->
            new BrokerConfig(
                DATA, 1, "h", new BrokerConfig.Ports(0, 0), "1@h:11", BrokerConfig.Flush.OS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> BrokerConfig.Flush.of("never"))
        .hasMessage("log.flush must be [always] or [os], was [never]");
  }

  @Test
  void aWrongOptionIsNamed() {
    assertThatThrownBy(() -> BrokerMain.options(new String[] {"--date", "x"}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("[--date]");
    assertThatThrownBy(() -> BrokerMain.options(new String[] {"--data"}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
