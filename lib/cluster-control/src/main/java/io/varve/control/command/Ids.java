package io.varve.control.command;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Ids of clusters, indices and copies: 22 characters of URL-safe base64, as in OpenSearch. */
public final class Ids {

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private Ids() {}

  public static String next() {
    UUID random = UUID.randomUUID();
    return ENCODER.encodeToString(
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array());
  }
}
