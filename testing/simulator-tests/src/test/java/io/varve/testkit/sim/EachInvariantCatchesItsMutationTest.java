package io.varve.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Mutation checks: each rule is broken on purpose, and the invariant that guards it must notice
 * within a bounded number of histories. An invariant that misses its mutation is useless.
 *
 * <p>The seed of {@code caught-at-seeds.properties} is tried first. A change of the simulator
 * changes what a seed tells; the test then searches all seeds from 1, which takes longer. {@code
 * -Dvarve.docs.renew} always searches and writes the file.
 */
class EachInvariantCatchesItsMutationTest {

  private static final int HISTORIES = 300;
  private static final String SEEDS = "caught-at-seeds.properties";
  private static final boolean RENEW = System.getProperty("varve.docs.renew") != null;

  private static final SortedMap<String, Long> FOUND = new TreeMap<>();

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void withinSomeHistories(Mutation mutation) throws IOException {
    OptionalLong seed = firstCaught(mutation);
    System.out.println(mutation + " is caught by " + mutation.caughtBy() + " at seed " + seed);
    assertThat(seed)
        .as("seed up to %d that %s catches %s at", HISTORIES, mutation.caughtBy(), mutation)
        .isPresent();
    FOUND.put(mutation.name(), seed.orElseThrow());
  }

  @AfterAll
  static void writeSeeds() throws IOException {
    if (RENEW) {
      Files.writeString(
          Path.of("src/test/resources", SEEDS),
          FOUND.entrySet().stream()
              .map(found -> found.getKey() + "=" + found.getValue() + "\n")
              .collect(Collectors.joining()));
    }
  }

  private static OptionalLong firstCaught(Mutation mutation) throws IOException {
    LongStream all = LongStream.rangeClosed(1, HISTORIES);
    String known = RENEW ? null : knownSeeds().getProperty(mutation.name());
    LongStream seeds =
        known == null ? all : LongStream.concat(LongStream.of(Long.parseLong(known)), all);
    return seeds
        .filter(seed -> seed <= HISTORIES)
        .filter(seed -> isCaught(seed, mutation))
        .findFirst();
  }

  private static Properties knownSeeds() throws IOException {
    Properties seeds = new Properties();
    try (InputStream file =
        EachInvariantCatchesItsMutationTest.class.getResourceAsStream("/" + SEEDS)) {
      seeds.load(Objects.requireNonNull(file, SEEDS));
    }
    return seeds;
  }

  private static boolean isCaught(long seed, Mutation mutation) {
    try {
      List<Invariant> guard = List.of(Invariants.named(mutation.caughtBy()));
      HistoryOfKind.run(mutation.kind(), seed, Set.of(mutation), guard);
      return false;
    } catch (InvariantViolated e) {
      return e.invariant().equals(mutation.caughtBy());
    } catch (AssertionError e) {
      // The mutation made the history fail before the invariant could notice.
      return false;
    }
  }
}
