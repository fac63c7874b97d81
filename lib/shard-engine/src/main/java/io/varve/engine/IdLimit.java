package io.varve.engine;

import io.varve.rpc.ErrorBody;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The maximum length of a document's id. */
final class IdLimit {

  private static final int MAX_BYTES = 512;
  private static final int MOST_BYTES_PER_CHAR = 3;

  private IdLimit() {}

  static @Nullable ErrorBody check(String id) {
    if (id.length() * MOST_BYTES_PER_CHAR <= MAX_BYTES) {
      return null;
    }
    int bytes = id.getBytes(StandardCharsets.UTF_8).length;
    return bytes <= MAX_BYTES
        ? null
        : ErrorBody.illegalArgument(
            "id ["
                + id
                + "] is too long, must be no longer than "
                + MAX_BYTES
                + " bytes but was: "
                + bytes);
  }
}
