package io.varve.store.s3;

import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Creates S3 clients. */
final class S3Clients {

  /**
   * Codes with which S3 reports that the content differs from what the client signed: a chunk or
   * the body was corrupted in transit. The client library treats them as caller errors.
   */
  private static final Set<String> CHANGED_ON_ITS_WAY =
      Set.of("SignatureDoesNotMatch", "XAmzContentSHA256Mismatch", "BadDigest");

  private S3Clients() {}

  private static boolean changedOnItsWay(Throwable failure) {
    AwsErrorDetails details =
        failure instanceof S3Exception refused ? refused.awsErrorDetails() : null;
    // A response to HEAD has no body and therefore no error code.
    String code = details == null ? null : details.errorCode();
    return code != null && CHANGED_ON_ITS_WAY.contains(code);
  }

  /**
   * Checksums are sent only where an operation requires them: the files contain their own
   * checksums, which every reader verifies, and some S3-compatible servers reject the trailers.
   */
  static S3Client of(S3Settings settings) {
    S3Settings.Credentials given = settings.credentials();
    S3ClientBuilder builder =
        S3Client.builder()
            .region(Region.of(settings.region()))
            .forcePathStyle(settings.pathStyle())
            .httpClientBuilder(
                UrlConnectionHttpClient.builder().socketTimeout(settings.limits().attemptTimeout()))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .credentialsProvider(
                given == null
                    ? DefaultCredentialsProvider.builder().build()
                    : StaticCredentialsProvider.create(
                        AwsBasicCredentials.create(given.accessKey(), given.secretKey())))
            .overrideConfiguration(o ->
                o.apiCallAttemptTimeout(settings.limits().attemptTimeout())
                    .apiCallTimeout(settings.limits().callTimeout())
                    .retryStrategy(
                        StandardRetryStrategy.builder()
                            .maxAttempts(settings.limits().attempts())
                            .retryOnException(S3Clients::changedOnItsWay)
                            .build()));
    if (settings.endpoint() != null) {
      builder.endpointOverride(settings.endpoint());
    }
    return builder.build();
  }
}
