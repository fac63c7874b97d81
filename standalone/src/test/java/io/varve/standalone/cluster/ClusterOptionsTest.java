package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.standalone.link.LinkConditions;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParameterException;

class ClusterOptionsTest {

  @Test
  void defaultsAreThoseOfTheSettingsPage() {
    ClusterOptions options = ClusterOptions.parse();

    assertThat(options.data()).isAbsolute().endsWithRaw(Path.of("varve", "cluster"));
    assertThat(options.port()).isEqualTo(9200);
    assertThat(options.brokers()).isEqualTo(1);
    assertThat(options.coordinators()).isEqualTo(1);
    assertThat(options.shardServices()).isEqualTo(2);
    assertThat(options.replicationServices()).isEqualTo(2);
    assertThat(options.searchServices()).isZero();
    assertThat(options.ccrFollowers()).isEqualTo(1);
    assertThat(options.flush()).isEqualTo("os");
    assertThat(options.publishedPorts()).isEqualTo(ClusterOptions.PublishedPorts.SAME);
    assertThat(options.restart()).isEqualTo(ClusterOptions.Restart.ALWAYS);
    assertThat(options.heap()).isEqualTo("1g");
    assertThat(options.serviceArguments()).isEmpty();
    assertThat(options.follower()).isFalse();
    assertThat(options.link()).isEmpty();
  }

  @Test
  void aFollowerCanBeBehindALink() {
    ClusterOptions options =
        ClusterOptions.parse("--follower", "--link", "delay=60ms,rate=50mbit,loss=0.1%");

    assertThat(options.follower()).isTrue();
    assertThat(options.link()).contains(new LinkConditions(60, 50_000_000, 0.1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--link delay=60ms | --link needs --follower: it is the network between the two clusters",
        "--follower --ccr-followers 0 | --follower needs at least one ccr-follower",
        "--follower --port 65436 | --port must be at most 65435 with --follower, which uses port"
            + " N+100, was 65436",
        "--follower --link delay=60 | Invalid value for option '--link': delay must be a time such"
            + " as 60ms or 1s, was [60]",
        "--follower --link jitter=5ms | Invalid value for option '--link': unknown part [jitter] in"
            + " [jitter=5ms]; parts are delay=60ms, rate=50mbit, loss=0.1%"
      })
  void optionsOfAFollowerThatDoNotFitAreRefusedWithTheReason(String arguments, String reason) {
    assertThatThrownBy(() -> ClusterOptions.parse(arguments.split(" ")))
        .isInstanceOf(ParameterException.class)
        .hasMessage(reason);
  }

  @Test
  void propertiesAreHandedToEachService() {
    assertThat(
            ClusterOptions.parse("--varve.node.timeout-millis=9", "--store.type", "s3")
                .serviceArguments())
        .containsExactly("--varve.store.type=s3", "--varve.node.timeout-millis=9");
  }

  @ParameterizedTest
  @CsvSource({
    "--brokers,0",
    "--brokers,10",
    "--coordinators,0",
    "--shard-services,33",
    "--replication-services,-1",
    "--ccr-followers,two",
    "--restart,sometimes",
    "--published-ports,other",
    "--log.flush,never"
  })
  void aMalformedValueIsRefused(String option, String value) {
    assertThatThrownBy(() -> ClusterOptions.parse(option, value))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("Invalid value for option '" + option)
        .hasMessageContaining(value);
  }

  @Test
  void nodeAttributesAreAnOptionOfOneProcessOnly() {
    assertThatThrownBy(() -> ClusterOptions.parse("--node.attr.zone", "one"))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining("--node.attr.zone");
  }
}
