package io.varve.store.s3;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where an S3 API answers and how objects are kept there.
 *
 * @param endpoint {@code null} for Amazon's own
 * @param pathStyle whether the bucket stands in the path and not in the host name
 * @param basePath under which everything stands in the bucket, empty for its root
 * @param credentials {@code null} for what the environment gives: variables, profile, instance role
 * @param encryption {@code null} for what the bucket does by itself
 * @param partBytes objects longer than this are sent in parts of this length, or of more when there
 *     would be too many
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

  /** S3 takes no parts below 5 MiB, the last one excepted. */
  public static final int LEAST_PART_BYTES = 5 << 20;

  public static final int DEFAULT_PART_BYTES = 16 << 20;

  /** S3 takes no more parts of one object. */
  static final int MOST_PARTS = 10_000;

  /** How long the parts of an object of that length are. */
  int partBytesOf(long lengthBytes) {
    return Math.toIntExact(Math.max(partBytes, Math.ceilDiv(lengthBytes, MOST_PARTS)));
  }

  /** A key and its secret. */
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
   * @param attemptTimeout for one try of one request
   * @param callTimeout for all tries of one request
   * @param attempts tries of one request, with growing pauses that chance spreads
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
