package io.varve.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FatalErrorsTest {

  @Test
  void memoryThatRanOutIsFatalHoweverDeepItIsWrapped() {
    OutOfMemoryError error = new OutOfMemoryError("heap");
    assertThat(FatalErrors.in(error)).contains(error);
    assertThat(FatalErrors.in(new IllegalStateException(new ExecutionException(error))))
        .contains(error);
  }

  @Test
  void aFailedJvmAndAClassThatCannotBeLinkedAreFatal() {
    assertThat(FatalErrors.in(new InternalError("jvm"))).isPresent();
    assertThat(FatalErrors.in(new NoClassDefFoundError("x"))).isPresent();
  }

  @Test
  void whatUnwindingMendsIsNotFatal() {
    assertThat(FatalErrors.in(new StackOverflowError())).isEmpty();
    assertThat(FatalErrors.in(new AssertionError("a defect"))).isEmpty();
    assertThat(FatalErrors.in(new IllegalStateException("a defect"))).isEmpty();
    assertThat(FatalErrors.in(null)).isEmpty();
  }

  @Test
  void exitStatusesAreThoseOfOpenSearch() {
    assertThat(FatalErrors.status(new InternalError())).isEqualTo(128);
    assertThat(FatalErrors.status(new OutOfMemoryError())).isEqualTo(127);
    assertThat(FatalErrors.status(new StackOverflowError())).isEqualTo(126);
    assertThat(FatalErrors.status(new UnknownError())).isEqualTo(125);
    assertThat(FatalErrors.status(new LinkageError())).isEqualTo(1);
  }

  @Test
  void nothingEndsWhereNothingIsGuarded() {
    FatalErrors.endOn(new OutOfMemoryError("not in this process"));
    assertThat(Thread.currentThread().isAlive()).isTrue();
  }
}
