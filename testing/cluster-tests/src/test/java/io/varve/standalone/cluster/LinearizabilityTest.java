package io.varve.standalone.cluster;

import static io.varve.standalone.cluster.RegisterOp.Kind.COMPARE_AND_SET;
import static io.varve.standalone.cluster.RegisterOp.Kind.CREATE;
import static io.varve.standalone.cluster.RegisterOp.Kind.DELETE;
import static io.varve.standalone.cluster.RegisterOp.Kind.WRITE;
import static io.varve.standalone.cluster.RegisterOp.Outcome.DONE;
import static io.varve.standalone.cluster.RegisterOp.Outcome.REFUSED;
import static io.varve.standalone.cluster.RegisterOp.Outcome.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.cluster.Linearizability.Verdict;
import io.varve.standalone.cluster.RegisterOp.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Numbers in the histories are the times of calls and responses. */
class LinearizabilityTest {

  private static final int STATES = 100_000;

  private static RegisterOp write(int value, Outcome outcome, long called, long returned) {
    return new RegisterOp(WRITE, value, null, outcome, called, returned);
  }

  private static RegisterOp create(int value, Outcome outcome, long called, long returned) {
    return new RegisterOp(CREATE, value, null, outcome, called, returned);
  }

  private static RegisterOp delete(Outcome outcome, long called, long returned) {
    return new RegisterOp(DELETE, null, null, outcome, called, returned);
  }

  private static RegisterOp set(
      int expected, int value, Outcome outcome, long called, long returned) {
    return new RegisterOp(COMPARE_AND_SET, value, expected, outcome, called, returned);
  }

  private static RegisterOp read(Integer found, long called, long returned) {
    return RegisterOp.read(found, called, returned);
  }

  private static void assertFine(RegisterOp... history) {
    assertThat(Linearizability.of(List.of(history), STATES)).isEqualTo(Verdict.LINEARIZABLE);
  }

  private static void assertViolated(RegisterOp... history) {
    assertThat(Linearizability.of(List.of(history), STATES)).isEqualTo(Verdict.VIOLATED);
  }

  @Test
  void whatHappensOneAfterTheOtherIsSeenInThatOrder() {
    assertFine();
    assertFine(
        read(null, 1, 2),
        create(1, DONE, 3, 4),
        create(2, REFUSED, 5, 6),
        set(1, 3, DONE, 7, 8),
        set(1, 4, REFUSED, 9, 10),
        read(3, 11, 12),
        delete(DONE, 13, 14),
        delete(REFUSED, 15, 16),
        write(5, DONE, 17, 18),
        read(5, 19, 20));
  }

  @Test
  void aReadBesideAWriteMayFindEither() {
    assertFine(write(1, DONE, 1, 2), write(2, DONE, 3, 9), read(1, 4, 5), read(2, 6, 7));
    assertFine(write(1, DONE, 1, 2), write(2, DONE, 3, 9), read(1, 4, 5), read(1, 6, 7));
  }

  @Test
  void aStaleReadIsCaught() {
    assertViolated(write(1, DONE, 1, 2), write(2, DONE, 3, 4), read(1, 5, 6));
    assertViolated(write(1, DONE, 1, 2), read(null, 3, 4));
  }

  @Test
  void aReadThatGoesBackIsCaught() {
    assertViolated(write(1, DONE, 1, 2), write(2, DONE, 3, 9), read(2, 4, 5), read(1, 6, 7));
    assertViolated(write(1, DONE, 1, 2), write(2, UNKNOWN, 3, 0), read(2, 4, 5), read(1, 6, 7));
  }

  @Test
  void aLostWriteIsCaught() {
    assertViolated(write(1, DONE, 1, 2), create(2, DONE, 3, 4), read(2, 5, 6));
    assertViolated(write(1, DONE, 1, 2), delete(REFUSED, 3, 4));
  }

  @Test
  void ofTwoThatCompareWithTheSameOneIsRefused() {
    assertFine(
        write(1, DONE, 1, 2), set(1, 2, DONE, 3, 9), set(1, 3, REFUSED, 4, 8), read(2, 10, 11));
    assertViolated(write(1, DONE, 1, 2), set(1, 2, DONE, 3, 9), set(1, 3, DONE, 4, 8));
  }

  @Test
  void ofTwoThatCreateOneIsRefused() {
    assertFine(create(1, DONE, 1, 9), create(2, REFUSED, 2, 8));
    assertViolated(create(1, DONE, 1, 9), create(2, DONE, 2, 8));
    assertViolated(create(1, REFUSED, 1, 9), create(2, REFUSED, 2, 8));
  }

  @Test
  void aWriteOfAnUnknownOutcomeMayShowAtAnyTimeOrNever() {
    assertFine(write(1, DONE, 1, 2), write(2, UNKNOWN, 3, 0), read(1, 4, 5), read(2, 6, 7));
    assertFine(write(1, DONE, 1, 2), write(2, UNKNOWN, 3, 0), read(1, 4, 5), read(1, 6, 7));
    assertFine(write(1, DONE, 1, 2), delete(UNKNOWN, 3, 0), create(2, DONE, 4, 5));
    assertFine(write(1, DONE, 1, 2), set(1, 2, UNKNOWN, 3, 0), set(1, 3, REFUSED, 4, 5));
  }

  @Test
  void butNotBeforeItWasCalledAndNotTwice() {
    assertViolated(read(2, 1, 2), write(2, UNKNOWN, 3, 0));
    assertViolated(
        write(1, UNKNOWN, 1, 0), read(1, 2, 3), write(2, DONE, 4, 5), read(2, 6, 7), read(1, 8, 9));
    assertViolated(create(1, UNKNOWN, 1, 0), read(1, 2, 3), delete(DONE, 4, 5), read(1, 6, 7));
  }

  @Test
  void thatTooManyStatesWouldHaveToBeLookedAtIsNoVerdict() {
    List<RegisterOp> history = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      history.add(write(i, UNKNOWN, i, 0));
    }
    history.add(read(-1, 100, 101));
    assertThat(Linearizability.of(history, 1_000)).isEqualTo(Verdict.UNDECIDED);
  }

  /**
   * Generates a history in which each call takes effect at one point in time, then falsifies one
   * read.
   */
  @RepeatedTest(20)
  void acceptsWhatARegisterDidAndNothingElse(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<RegisterOp> history = new ArrayList<>();
    Integer state = null;
    for (int i = 1; i <= 100; i++) {
      long moment = 10L * i;
      long called = moment - random.nextInt(30);
      long returned = moment + random.nextInt(30);
      switch (random.nextInt(4)) {
        case 0 -> {
          boolean unknown = random.nextInt(10) == 0;
          history.add(write(i, unknown ? UNKNOWN : DONE, called, returned));
          state = unknown && random.nextBoolean() ? state : Integer.valueOf(i);
        }
        case 1 -> {
          history.add(create(i, state == null ? DONE : REFUSED, called, returned));
          state = state == null ? Integer.valueOf(i) : state;
        }
        case 2 -> {
          history.add(delete(state == null ? REFUSED : DONE, called, returned));
          state = null;
        }
        default -> history.add(read(state, called, returned));
      }
    }
    assertThat(Linearizability.of(history, STATES)).isEqualTo(Verdict.LINEARIZABLE);

    history.add(read(-1, 10_000, 10_001));
    assertThat(Linearizability.of(history, STATES)).isNotEqualTo(Verdict.LINEARIZABLE);
  }
}
