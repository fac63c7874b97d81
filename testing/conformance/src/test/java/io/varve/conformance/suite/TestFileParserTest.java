package io.varve.conformance.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestFileParserTest {

  @Test
  void givesEachTestTheSetupTheTeardownAndTheSkipsOfItsFile() {
    List<TestCase> tests =
        TestFileParser.parse(
            "bulk/10_basic",
            """
            setup:
              - skip:
                  features: headers
              - do:
                  indices.create: { index: a }
            ---
            teardown:
              - do:
                  indices.delete: { index: a }
            ---
            "First":
              - skip:
                  version: " - 2.0.99"
                  reason: later
              - is_true: ''
            ---
            "Second":
              - is_false: x
            """);

    assertThat(tests)
        .extracting(TestCase::id)
        .containsExactly("bulk/10_basic/First", "bulk/10_basic/Second");
    assertThat(tests.getFirst().folder()).isEqualTo("bulk");
    assertThat(tests.getFirst().setup()).hasSize(1);
    assertThat(tests.getFirst().teardown()).hasSize(1);
    assertThat(tests.getFirst().skips()).hasSize(2);
    assertThat(tests.getLast().steps()).containsExactly(new Step.IsFalse("x"));
  }

  @Test
  void ofTwoEndpointsInOneCallTheLastCounts() {
    Step.Call call = call("{indices.refresh: {}, search: {index: a}}");

    assertThat(call.api()).isEqualTo("search");
    assertThat(call.parameters()).containsExactly(Map.entry("index", "a"));
  }

  @Test
  void readsATextAsAnyNumberOfJsonBodies() {
    assertThat(call("{bulk: {body: \"{\\\"a\\\":1}\\n{\\\"b\\\":2}\\n\"}}").bodies())
        .containsExactly(Map.of("a", 1), Map.of("b", 2));
    assertThat(call("{bulk: {body: ['{\"a\":1}', {b: 2}]}}").bodies())
        .containsExactly(Map.of("a", 1), Map.of("b", 2));
  }

  @Test
  void readsWhatIsAgreedOnAroundACall() {
    Step.Call call =
        call(
            "{catch: missing, headers: {Accept: application/yaml}, warnings: [w],"
                + " allowed_warnings: [x], get: {index: a, ignore: [404, 409]}}");

    assertThat(call.terms())
        .isEqualTo(
            new Step.Terms(
                "missing",
                List.of(404, 409),
                Map.of("Accept", "application/yaml"),
                List.of("w"),
                List.of("x")));
    assertThat(call.parameters()).containsOnlyKeys("index");
  }

  @Test
  void refusesAStepThatItDoesNotKnow() {
    assertThatThrownBy(() -> TestFileParser.parse("a/b", "T:\n  - guess: 1\n"))
        .isInstanceOf(SuiteException.class)
        .hasMessageContaining("guess");
  }

  private static Step.Call call(String yaml) {
    TestCase test = TestFileParser.parse("a/b", "T:\n  - do: " + yaml + "\n").getFirst();
    return (Step.Call) test.steps().getFirst();
  }
}
