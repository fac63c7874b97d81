package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.InFlightWindow.Entry;
import io.varve.log.InFlightWindow.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InFlightWindowTest {

  private final InFlightWindow window = new InFlightWindow();

  @BeforeEach
  void start() {
    window.startAt(10);
  }

  private Entry added() {
    Entry entry = new Entry(_ -> {});
    window.add(entry);
    entry.sent();
    return entry;
  }

  private Entry appendedAt(long offset) {
    Entry entry = added();
    entry.appended(offset, 1_000 + offset);
    return entry;
  }

  @Test
  void consecutiveOffsetsAreAcceptedInTheOrderOfTheAppends() {
    Entry first = added();
    Entry second = appendedAt(11);
    assertThat(window.next()).as("the first has no answer yet").isEqualTo(new Step.Wait());

    first.appended(10, 1_010);

    assertThat(window.next()).isEqualTo(new Step.Accept(first));
    assertThat(window.next()).isEqualTo(new Step.Accept(second));
    assertThat(window.isEmpty()).isTrue();
    assertThat(window.next()).isEqualTo(new Step.Wait());
  }

  @Test
  void behindAGapNothingIsDecidedUntilItWasRead() {
    Entry entry = appendedAt(13);

    assertThat(window.next()).isEqualTo(new Step.Gap(10, 13));
    assertThat(window.next()).isEqualTo(new Step.Wait());
    assertThat(window.isEmpty()).isFalse();
    window.gapReadTo(13);

    assertThat(window.next()).isEqualTo(new Step.Accept(entry));
  }

  @Test
  void anOffsetThatIsTakenAlreadyBreaksIt() {
    appendedAt(10);
    appendedAt(10);
    var _ = window.next();

    assertThat(window.next())
        .isEqualTo(new Step.Broken("the log lost its tail: offset 10 where 11 was next"));
  }

  @Test
  void aFateThatIsUnknownBreaksItWhenItsTurnComes() {
    Entry first = added();
    added().unknown("a timeout");
    assertThat(window.next()).isEqualTo(new Step.Wait());
    first.appended(10, 1);

    assertThat(window.next()).isEqualTo(new Step.Accept(first));
    assertThat(window.next())
        .isEqualTo(new Step.Broken("the outcome of an append is unknown: a timeout"));
  }

  @Test
  void onlyWhatTheLogTookIsLeftToBeTold() {
    Entry sent = added();
    window.add(new Entry(_ -> {}));
    Entry withdrawn = added();
    window.withdraw(withdrawn);

    List<Entry> drained = new ArrayList<>(window.drain());

    assertThat(drained).containsExactly(sent);
    assertThat(window.isEmpty()).isTrue();
  }
}
