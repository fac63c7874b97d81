package io.varve.coordinator.security;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** API keys, and keyed hashes of logins. */
public final class Secrets {

  private static final int KEY_BYTES = 32;
  private static final int ID_BYTES = 15;
  private static final String MAC = "HmacSHA256";

  private final SecureRandom random = new SecureRandom();
  private final SecretKeySpec macKey = new SecretKeySpec(bytes(KEY_BYTES), MAC);

  /** A new id of an API key. */
  public String newId() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(ID_BYTES));
  }

  /** A new API key of 256 random bits. */
  public String newKey() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(KEY_BYTES));
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** The hash of an API key that the state holds. */
  public static String hash(String key) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Compares in constant time, regardless of where the two differ. */
  static boolean areEqual(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  /** A hash of a login with a key that only this process has and that is never stored. */
  String ofLogin(String user, String password) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(macKey);
      mac.update(user.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return HexFormat.of().formatHex(mac.doFinal(password.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
