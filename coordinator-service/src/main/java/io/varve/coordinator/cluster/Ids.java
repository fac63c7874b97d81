package io.varve.coordinator.cluster;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/** Ids of clusters, indices and copies: 22 characters of URL-safe base64, as in OpenSearch. */
final class Ids {

  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private Ids() {}

  static String next() {
    UUID random = UUID.randomUUID();
    return ENCODER.encodeToString(
        ByteBuffer.allocate(16)
            .putLong(random.getMostSignificantBits())
            .putLong(random.getLeastSignificantBits())
            .array());
  }
}
