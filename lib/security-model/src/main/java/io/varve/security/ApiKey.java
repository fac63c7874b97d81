package io.varve.security;

/**
 * A key with which programs authenticate as the user who created it. It has the rights that this
 * user has at the time of a request.
 *
 * @param hash the SHA-256 of the key in hexadecimal; the key has 256 random bits, so a slow hash
 *     would add no security
 * @param expiresMillis 0 for never
 */
public record ApiKey(
    String id, String name, String owner, String hash, long createdMillis, long expiresMillis) {

  public ApiKey {
    Names.require("key", id);
    Names.require("key", name);
    Names.require("user", owner);
    if (expiresMillis != 0 && expiresMillis <= createdMillis) {
      throw new IllegalArgumentException("an API key expires after its creation");
    }
  }

  public boolean isExpired(long nowMillis) {
    return expiresMillis != 0 && expiresMillis <= nowMillis;
  }

  /** Without the hash. */
  @Override
  public String toString() {
    return "ApiKey[" + id + " of " + owner + "]";
  }
}
