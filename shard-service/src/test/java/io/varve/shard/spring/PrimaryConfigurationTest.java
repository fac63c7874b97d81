package io.varve.shard.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.host.CopyKind;
import io.varve.host.http.ShardEndpoints;
import io.varve.http.ServiceAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PrimaryConfigurationTest {

  @Test
  void isConfiguredInEachProcessWithTheJar() {
    assertThat(ImportCandidates.load(ServiceAutoConfiguration.class, getClass().getClassLoader()))
        .contains(PrimaryConfiguration.class.getName());
  }

  @Test
  void offersNothingToAProcessWithoutANode() {
    new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(PrimaryConfiguration.class))
        .run(context ->
            assertThat(context)
                .hasNotFailed()
                .doesNotHaveBean(CopyKind.class)
                .doesNotHaveBean(ShardEndpoints.class));
  }
}
