package io.varve.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.conformance.suite.Suite;
import io.varve.conformance.suite.TestCase;
import io.varve.conformance.suite.Version;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TargetListTest {

  private static final List<TestCase> TESTS = Suite.load().tests();

  @Test
  void theLastLineThatFitsDecides() {
    TargetList list = new TargetList(List.of("# words", "+ cat.*", "- cat.tasks", "", "+ bulk/1*"));

    assertThat(list.includes("cat.health/10_basic/Help")).isTrue();
    assertThat(list.includes("cat.tasks/10_basic/Help")).isFalse();
    assertThat(list.includes("bulk/10_basic/Array of objects")).isTrue();
    assertThat(list.includes("bulk/20_list_of_strings/List of strings")).isFalse();
  }

  @Test
  void aNameIsNotThePrefixOfAnother() {
    TargetList list = new TargetList(List.of("+ search/160_exists_query"));

    assertThat(list.includes("search/160_exists_query/Test")).isTrue();
    assertThat(list.includes("search/160_exists_query_match_only_text/Test")).isFalse();
  }

  @Test
  void ourListsHoldTheTestsThatWeSpeakOf() throws IOException {
    TargetList core = Conformance.target("core");
    TargetList wider = Conformance.target("wider");

    assertThat(TESTS).hasSize(1459);
    assertThat(TESTS.stream().filter(test -> core.includes(test.id()))).hasSize(842);
    assertThat(TESTS.stream().filter(test -> wider.includes(test.id()))).hasSize(458);
    assertThat(TESTS.stream().filter(test -> core.includes(test.id()) && wider.includes(test.id())))
        .isEmpty();
    assertThat(
            TESTS.stream()
                .filter(test -> core.includes(test.id()))
                .filter(test -> test.reasonToSkip(Version.of("3.1.0")).isPresent()))
        .hasSize(21);
  }

  @Test
  void anAcceptedFailureGivesItsReason() throws IOException {
    AcceptedFailures accepted = new AcceptedFailures(List.of("bulk/10_basic | because"));

    assertThat(accepted.accepts("bulk/10_basic/Array of objects")).isTrue();
    assertThat(accepted.accepts("bulk/20_list_of_strings/List of strings")).isFalse();
    assertThatThrownBy(() -> new AcceptedFailures(List.of("bulk/10_basic")))
        .hasMessageContaining("reason");
    assertThat(Conformance.resource("accepted-failures.txt")).isNotEmpty();
  }
}
