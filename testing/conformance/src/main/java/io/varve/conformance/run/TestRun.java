package io.varve.conformance.run;

import io.varve.conformance.spec.ApiCatalog;
import io.varve.conformance.spec.ApiRequest;
import io.varve.conformance.spec.RequestBuilder;
import io.varve.conformance.spec.RequestBuilder.BadCallException;
import io.varve.conformance.suite.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The state of one test while it runs: the last response, and values kept from earlier ones. */
final class TestRun {

  private static final Pattern CREDENTIALS =
      Pattern.compile("#base64EncodeCredentials\\(([^,)]+),([^)]+)\\)");

  private final ApiCatalog catalog;
  private final ServerClient server;
  private final Consumer<String> trace;
  private final Stash stash = new Stash();
  private @Nullable ApiRequest request;
  private @Nullable ApiResponse response;

  TestRun(ApiCatalog catalog, ServerClient server, Consumer<String> trace) {
    this.catalog = catalog;
    this.server = server;
    this.trace = trace;
  }

  /** Runs the steps until one fails; the failure names the last request. */
  void run(List<Step> steps) {
    for (Step step : steps) {
      try {
        run(step);
      } catch (CheckFailure e) {
        String after = step instanceof Step.Call || request == null ? "" : "\n  after " + request;
        throw new CheckFailure(e.getMessage() + after);
      }
    }
  }

  private void run(Step step) {
    switch (step) {
      case Step.Call call -> call(call);
      case Step.Match(String path, Object expected) ->
          Checks.match(path, find(path), stash.resolve(expected));
      case Step.Length(String path, Object expected) ->
          Checks.length(path, find(path), Objects.requireNonNull(stash.resolve(expected)));
      case Step.IsTrue(String path) -> Checks.isTrue(path, find(path));
      case Step.IsFalse(String path) -> Checks.isFalse(path, find(path));
      case Step.Compare(Step.Order order, String path, Object expected) ->
          Checks.compare(order, path, find(path), stash.resolve(expected));
      case Step.Contains(String path, Object expected) ->
          Checks.contains(path, find(path), stash.resolve(expected));
      case Step.CloseTo(String path, Number value, Number error) ->
          Checks.closeTo(path, find(path), value, error);
      case Step.Keep(Map<String, String> names) ->
          names.forEach((path, name) -> stash.put(name, find(path)));
      case Step.Transform(Map<String, String> formulas) ->
          formulas.forEach((name, formula) -> stash.put(name, transform(formula)));
    }
  }

  private void call(Step.Call call) {
    if ("param".equals(call.terms().caught())) {
      // The suite expects the client itself to reject this call, so nothing is sent.
      return;
    }
    ApiRequest built;
    try {
      built = build(call);
    } catch (BadCallException e) {
      throw new CheckFailure(e.getMessage());
    }
    request = built;
    ApiResponse answer = server.send(built, headers(call.terms().headers()));
    trace.accept(built + " " + (built.bodies().isEmpty() ? "" : built.bodies()));
    trace.accept("  " + answer.status() + " " + answer.text());
    response = answer;
    stash.put("body", answer.body());
    judge(call, built, answer);
  }

  private void judge(Step.Call call, ApiRequest built, ApiResponse answer) {
    try {
      String caught = call.terms().caught();
      if (caught != null && !caught.isEmpty()) {
        Catch.check(caught, answer);
      } else if (answer.isError() && !call.terms().ignoredStatuses().contains(answer.status())) {
        throw new CheckFailure(
            "failed with " + answer.status() + " " + Checks.brief(answer.text()));
      }
      Warnings.check(answer.warnings(), call.terms());
    } catch (CheckFailure e) {
      throw new CheckFailure(built + "\n  " + e.getMessage());
    }
  }

  private ApiRequest build(Step.Call call) {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    call.parameters().forEach((name, value) -> parameters.put(name, stash.resolve(value)));
    List<Object> bodies = new ArrayList<>();
    call.bodies().forEach(body -> bodies.add(Objects.requireNonNull(stash.resolve(body))));
    return RequestBuilder.build(catalog.find(call.api()), parameters, bodies);
  }

  private Map<String, String> headers(Map<String, String> headers) {
    Map<String, String> resolved = new LinkedHashMap<>();
    headers.forEach((name, value) -> resolved.put(name, String.valueOf(stash.resolve(value))));
    return resolved;
  }

  private @Nullable Object find(String path) {
    if (response == null) {
      throw new CheckFailure("[" + path + "] is checked before the first response");
    }
    return response.find(path, stash);
  }

  private @Nullable Object transform(String formula) {
    Matcher matcher = CREDENTIALS.matcher(formula);
    if (!matcher.matches()) {
      return formula;
    }
    String credentials = find(matcher.group(1).strip()) + ":" + find(matcher.group(2).strip());
    return Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }
}
