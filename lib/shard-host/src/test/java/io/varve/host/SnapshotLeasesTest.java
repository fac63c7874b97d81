package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SnapshotLeasesTest {

  private final SnapshotLeases<Integer, String> leases = new SnapshotLeases<>(100);

  @Test
  void holdsTheNewestAlways() {
    assertThat(leases.publish(1, "one", 0)).isEmpty();
    assertThat(leases.sweep(1_000_000)).isEmpty();
    assertThat(leases.newest()).contains("one");
    assertThat(leases.publish(2, "two", 1_000_000)).containsExactly("one");
  }

  @Test
  void holdsAnOlderOneUntilItsLastLeaseIsReleased() {
    leases.publish(1, "one", 0);
    leases.lease(1, "r1", 0);
    leases.lease(1, "r2", 0);
    assertThat(leases.publish(2, "two", 10)).isEmpty();

    assertThat(leases.release(1, "r1", 20)).isEmpty();
    assertThat(leases.release(1, "stranger", 20)).isEmpty();
    assertThat(leases.held(1)).contains("one");
    assertThat(leases.release(1, "r2", 30)).containsExactly("one");
    assertThat(leases.lease(1, "r3", 30)).isEmpty();
  }

  @Test
  void endsALeaseByItselfUnlessItIsRenewed() {
    leases.publish(1, "one", 0);
    leases.lease(1, "r1", 0);
    leases.publish(2, "two", 10);

    leases.lease(1, "r1", 90);
    assertThat(leases.sweep(189)).isEmpty();
    assertThat(leases.sweep(190)).containsExactly("one");
  }

  @Test
  void refusesAGenerationThatIsNotNewer() {
    leases.publish(2, "two", 0);
    assertThatThrownBy(() -> leases.publish(2, "again", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void holdsTheOneBeforeForATimeOfGrace() {
    SnapshotLeases<Integer, String> graceful = new SnapshotLeases<>(100, 20);
    graceful.publish(1, "one", 0);
    assertThat(graceful.publish(2, "two", 50)).isEmpty();
    assertThat(graceful.held(1)).contains("one");
    graceful.lease(1, "late", 60);

    assertThat(graceful.sweep(70)).as("leased meanwhile").isEmpty();
    assertThat(graceful.release(1, "late", 80)).containsExactly("one");
    assertThat(graceful.publish(3, "three", 90)).isEmpty();
    assertThat(graceful.sweep(110)).containsExactly("two");
  }

  @Test
  void givesUpAllAtTheEnd() {
    leases.publish(1, "one", 0);
    leases.lease(1, "r1", 0);
    leases.publish(2, "two", 0);
    assertThat(leases.clear()).containsExactly("one", "two");

    assertThat(leases.newest()).isEmpty();
    assertThat(leases.held(2)).isEmpty();
    assertThat(leases.sweep(1_000_000)).isEmpty();
    assertThat(leases.clear()).as("each is given up once").isEmpty();
  }

  @Test
  void aReleaseOfASnapshotThatIsNotHeldChangesNothing() {
    leases.publish(1, "one", 0);
    leases.lease(1, "r1", 0);

    assertThat(leases.release(7, "r1", 10)).isEmpty();
    assertThat(leases.publish(2, "two", 20)).as("still leased").isEmpty();
  }

  @Test
  void aSnapshotIsDroppedOnce() {
    leases.publish(1, "one", 0);
    leases.publish(2, "two", 10);

    assertThat(leases.publish(3, "three", 20)).containsExactly("two");
    assertThat(leases.sweep(30)).isEmpty();
  }

  @Test
  void aRenewalThatComesAfterTheReleaseDoesNotBringTheLeaseBack() {
    leases.publish(1, "one", 0);
    leases.lease(1, "r1", 0);
    leases.release(1, "r1", 10);

    assertThat(leases.lease(1, "r1", 20)).isEmpty();
    assertThat(leases.lease(1, "r2", 20)).as("another one").contains("one");
    assertThat(leases.release(1, "r2", 30)).isEmpty();
    assertThat(leases.publish(2, "two", 40)).containsExactly("one");
  }

  @Test
  void aReleaseThatOvertakesItsLeaseEndsIt() {
    leases.publish(1, "one", 0);
    leases.release(1, "r1", 10);

    assertThat(leases.lease(1, "r1", 20)).isEmpty();
    assertThat(leases.publish(2, "two", 30)).containsExactly("one");
  }

  @Test
  void aReleasedLeaseIsForgottenWhenItWouldHaveEnded() {
    leases.publish(1, "one", 0);
    leases.lease(1, "r1", 0);
    leases.release(1, "r1", 10);

    assertThat(leases.lease(1, "r1", 109)).isEmpty();
    assertThat(leases.lease(1, "r1", 110)).contains("one");
  }
}
