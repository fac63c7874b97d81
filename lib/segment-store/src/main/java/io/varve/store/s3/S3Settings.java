package io.varve.store.s3;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Connection to an S3 API and storage options.
 *
 * @param endpoint {@code null} for Amazon's own
 * @param pathStyle whether the bucket is part of the path instead of the host name
 * @param basePath prefix of all objects, empty for the bucket's root
 * @param credentials {@code null} for the default provider chain: variables, profile, instance role
 * @param encryption {@code null} for the bucket's default
 * @param partBytes size of the parts of multipart uploads; larger if there would be too many parts
 */
public record S3Settings(
    @Nullable URI endpoint,
    String region,
    String bucket,
    String basePath,
    boolean pathStyle,
    @Nullable Credentials credentials,
    @Nullable Encryption encryption,
    int partBytes,
    Limits limits) {

  /** S3's minimum part size, except for the last part. */
  public static final int LEAST_PART_BYTES = 5 << 20;

  public static final int DEFAULT_PART_BYTES = 16 << 20;

  /** S3's maximum number of parts per object. */
  static final int MOST_PARTS = 10_000;

  /** The part size for an object of this length. */
  int partBytesOf(long lengthBytes) {
    return Math.toIntExact(Math.max(partBytes, Math.ceilDiv(lengthBytes, MOST_PARTS)));
  }

  /** Access key and secret key. */
  public record Credentials(String accessKey, String secretKey) {
    @Override
    public String toString() {
      return "Credentials[" + accessKey + "]";
    }
  }

  /**
   * Encryption at rest.
   *
   * @param algorithm {@code AES256} or {@code aws:kms}
   */
  public record Encryption(String algorithm, @Nullable String kmsKeyId) {}

  /**
   * @param attemptTimeout for one attempt of a request
   * @param callTimeout for all attempts of a request
   * @param attempts maximum attempts of a request, with exponential back-off and jitter
   */
  public record Limits(Duration attemptTimeout, Duration callTimeout, int attempts) {

    public static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(30), Duration.ofMinutes(2), 5);

    public Limits {
      if (attempts < 1 || attempts > 20) {
        throw new IllegalArgumentException("attempts must be in 1..20, was " + attempts);
      }
    }
  }

  public S3Settings {
    if (bucket.isBlank()) {
      throw new IllegalArgumentException("a bucket is needed");
    }
    if (basePath.startsWith("/") || basePath.endsWith("/")) {
      throw new IllegalArgumentException(
          "the base path must not begin or end with a slash, was [" + basePath + "]");
    }
    if (partBytes < LEAST_PART_BYTES) {
      throw new IllegalArgumentException(
          "parts must be of at least " + LEAST_PART_BYTES + " bytes, was " + partBytes);
    }
  }
}
