package io.varve.load.growth;

import io.varve.security.Authorizer;
import io.varve.security.IndexPermission;
import io.varve.security.Principal;
import io.varve.security.Role;
import io.varve.security.SecurityEvent;
import io.varve.security.SecurityState;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The CPU time of the check whether a user may search an index, for a role with many patterns. A
 * quarter of them each are names, prefixes, suffixes, and patterns with a wildcard in the middle.
 */
public final class RoleCosts {

  private static final int SAMPLES = 7;
  private static final long MOST_NANOS = 10_000_000_000L;
  private static final double NANOS_PER_MICRO = 1_000;
  private static final String ROLE = "many";
  private static final String SEARCH = "indices:data/read/search";

  private final Authorizer authorizer;
  private final Principal user = new Principal("ann", List.of(), Set.of(ROLE), null);
  private final CpuMeter meter = new CpuMeter(SAMPLES, MOST_NANOS);
  private long next;

  public RoleCosts(int patterns) {
    List<String> all = IntStream.range(0, patterns).mapToObj(RoleCosts::pattern).toList();
    Role role = new Role(ROLE, "", List.of(), List.of(new IndexPermission(all, List.of("search"))));
    this.authorizer = new Authorizer(SecurityState.EMPTY.apply(new SecurityEvent.RolePut(role)));
  }

  private static String pattern(int number) {
    return switch (number % 4) {
      case 0 -> "name-" + number;
      case 1 -> "prefix-" + number + "-*";
      case 2 -> "*-suffix-" + number;
      default -> "begin-" + number + "-*-end";
    };
  }

  /** Microseconds for a name that was checked before. */
  public double knownMicros() {
    return micros("prefix-1-2026");
  }

  /** Microseconds for names that are each checked once, and are allowed. */
  public double newMicros() {
    return meter.nanos(() -> decided("prefix-1-" + next++)) / NANOS_PER_MICRO;
  }

  /** Microseconds for names that are each checked once, and match no pattern. */
  public double refusedMicros() {
    return meter.nanos(() -> decided("other-" + next++)) / NANOS_PER_MICRO;
  }

  private double micros(String name) {
    return meter.nanos(() -> decided(name)) / NANOS_PER_MICRO;
  }

  private Authorizer.Decision decided(String name) {
    return authorizer.decide(user, SEARCH, List.of(name));
  }
}
