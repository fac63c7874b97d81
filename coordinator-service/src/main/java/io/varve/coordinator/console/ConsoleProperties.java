package io.varve.coordinator.console;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.console.*}.
 *
 * @param maxStreams open consoles of this coordinator, 1 to 1000
 * @param maxShards shards that a console shows, 1 to 100000
 */
@ConfigurationProperties("varve.console")
record ConsoleProperties(@DefaultValue("32") int maxStreams, @DefaultValue("500") int maxShards) {

  ConsoleProperties {
    check("varve.console.max-streams", maxStreams, 1000);
    check("varve.console.max-shards", maxShards, 100_000);
  }

  private static void check(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(name + " must be 1 to " + most + ", was " + value);
    }
  }
}
