package io.varve.conformance.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.conformance.suite.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the checks of responses: expected errors, HEAD responses, warnings. */
class AnswersTest {

  @Test
  void anExpectedErrorIsFoundByStatusOrByText() {
    ApiResponse missing = json(404, Map.of("error", Map.of("type", "index_not_found_exception")));

    Catch.check("missing", missing);
    Catch.check("/type=index_not_found/", missing);
    assertThatThrownBy(() -> Catch.check("conflict", missing)).isInstanceOf(CheckFailure.class);
    assertThatThrownBy(() -> Catch.check("request", missing)).isInstanceOf(CheckFailure.class);
    assertThatThrownBy(() -> Catch.check("missing", json(200, Map.of())))
        .hasMessageContaining("expected an error");
    Catch.check("request", json(500, Map.of()));
  }

  @Test
  void aHeadThatFindsNothingIsAnAnswer() {
    ApiResponse absent = new ApiResponse(404, "", null, true, List.of());

    assertThat(absent.isError()).isFalse();
    assertThat(absent.find("", new Stash())).isEqualTo(false);
    assertThat(new ApiResponse(200, "", null, true, List.of()).find("", new Stash()))
        .isEqualTo(true);
  }

  @Test
  void warningsAreThoseThatAreExpectedOrAllowed() {
    String header = "299 OpenSearch-3.1.0-abc \"a \\\"quoted\\\" word\"";

    Warnings.check(List.of(header), terms(List.of("a \"quoted\" word"), List.of()));
    Warnings.check(List.of(header), terms(List.of(), List.of("a \"quoted\" word")));
    Warnings.check(List.of(), terms(List.of(), List.of("allowed")));
    assertThatThrownBy(() -> Warnings.check(List.of(header), terms(List.of(), List.of())))
        .hasMessageContaining("unexpected");
    assertThatThrownBy(() -> Warnings.check(List.of(), terms(List.of("due"), List.of())))
        .hasMessageContaining("did not come");
  }

  private static Step.Terms terms(List<String> warnings, List<String> allowed) {
    return new Step.Terms(null, List.of(), Map.of(), warnings, allowed);
  }

  private static ApiResponse json(int status, Map<String, Object> body) {
    return new ApiResponse(status, body.toString(), body, false, List.of());
  }
}
