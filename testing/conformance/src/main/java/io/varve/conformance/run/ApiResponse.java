package io.varve.conformance.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response of the server.
 *
 * @param parsed the body as lists and maps, or null if it is plain text or empty
 */
record ApiResponse(
    int status, String text, @Nullable Object parsed, boolean isHead, List<String> warnings) {

  /** Whether this is an error; a 404 to a HEAD request is not. */
  boolean isError() {
    return status >= 400 && !(isHead && status == 404);
  }

  /** The value that the tests call {@code $body}. */
  @Nullable Object body() {
    return parsed != null ? parsed : text;
  }

  /** The value at a path; the empty path of a HEAD means whether the object exists. */
  @Nullable Object find(String path, Stash stash) {
    if (path.equals("$body")) {
      return body();
    }
    if (parsed == null) {
      return isHead && path.isEmpty() ? (Object) (status < 400) : null;
    }
    return ObjectPath.find(parsed, path.startsWith("$body.") ? path.substring(6) : path, stash);
  }
}
