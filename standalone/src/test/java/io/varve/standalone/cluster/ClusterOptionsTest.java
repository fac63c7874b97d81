package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
