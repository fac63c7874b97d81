package io.varve.conformance.run;

import java.util.Map;
import java.util.regex.Pattern;

/** Checks that a response is the error that a test expects. */
final class Catch {

  private static final Map<String, Integer> STATUSES =
      Map.of(
          "bad_request", 400,
          "unauthorized", 401,
          "forbidden", 403,
          "missing", 404,
          "request_timeout", 408,
          "conflict", 409,
          "unavailable", 503);

  private Catch() {}

  /** Throws unless the response is the error that {@code caught} names. */
  static void check(String caught, ApiResponse response) {
    if (!response.isError() && !(response.isHead() && response.status() == 404)) {
      throw new CheckFailure(
          "expected an error ["
              + caught
              + "], was "
              + response.status()
              + " "
              + Checks.brief(response.text()));
    }
    Integer status = STATUSES.get(caught);
    if (status != null) {
      expect(response.status() == status, caught, response);
    } else if (caught.equals("request")) {
      expect(
          !STATUSES.containsValue(response.status()) || response.status() == 503, caught, response);
    } else if (caught.startsWith("/") && caught.endsWith("/")) {
      Pattern pattern = Pattern.compile(caught.substring(1, caught.length() - 1));
      Object error = response.find("error", new Stash());
      expect(pattern.matcher(String.valueOf(error)).find(), caught, response);
    } else {
      throw new CheckFailure("unknown kind of error [" + caught + "]");
    }
  }

  private static void expect(boolean holds, String caught, ApiResponse response) {
    if (!holds) {
      throw new CheckFailure(
          "expected the error "
              + caught
              + ", was "
              + response.status()
              + " "
              + Checks.brief(response.parsed() == null ? response.text() : response.parsed()));
    }
  }
}
