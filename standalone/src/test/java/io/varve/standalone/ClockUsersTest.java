package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Only the classes in {@code clock-users.txt} may read a clock of this machine or sleep; all others
 * get a clock injected. Both an unlisted class and an unneeded entry fail the test, so the list can
 * only shrink.
 */
class ClockUsersTest {

  private static final Map<String, Set<String>> CLOCKS =
      Map.of(
          "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
          "java.lang.Thread", Set.of("sleep"),
          "java.util.concurrent.TimeUnit", Set.of("sleep"),
          "java.util.concurrent.locks.LockSupport", Set.of("parkNanos", "parkUntil"),
          "java.time.Instant", Set.of("now"),
          "java.time.InstantSource", Set.of("system"),
          "java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system"));

  private static boolean readsAClock(JavaClass type) {
    return type.getAccessesFromSelf().stream()
            .map(JavaAccess::getTarget)
            .anyMatch(ClockUsersTest::isClock)
        || type.getMethodReferencesFromSelf().stream()
            .map(JavaAccess::getTarget)
            .anyMatch(ClockUsersTest::isClock);
  }

  private static boolean isClock(AccessTarget target) {
    return CLOCKS.getOrDefault(target.getOwner().getName(), Set.of()).contains(target.getName());
  }

  /** The top-level class of the source file. */
  private static String file(JavaClass type) {
    String name = type.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static Set<String> listed() throws IOException {
    try (var in = ClockUsersTest.class.getResourceAsStream("/clock-users.txt")) {
      String list = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(list.split("\n"))
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void onlyListedClassesReadAClockOfThisMachine() throws IOException {
    Set<String> users =
        MainClasses.imported().stream()
            .filter(ClockUsersTest::readsAClock)
            .map(ClockUsersTest::file)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(users).containsExactlyInAnyOrderElementsOf(listed());
  }
}
