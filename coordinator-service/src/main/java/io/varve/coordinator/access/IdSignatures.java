package io.varve.coordinator.access;

import io.varve.cluster.ClusterSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * Signs ids that clients keep, each for the user who received it: a user can neither forge nor
 * change an id, nor use an id of another user. All coordinators of the cluster have the same key.
 */
public final class IdSignatures {

  /** Half of the hash is sufficient against guessing, and keeps ids short. */
  public static final int BYTES = 16;

  private final SecretKey key;

  public IdSignatures(ClusterSecret secret) {
    this.key = secret.key("ids of search contexts");
  }

  /**
   * @param length of the bytes that are signed, from the first one on
   */
  byte[] sign(String owner, byte[] bytes, int length) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      mac.update(owner.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      mac.update(bytes, 0, length);
      return Arrays.copyOf(mac.doFinal(), BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
