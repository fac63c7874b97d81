package io.varve.host.spring;

import io.varve.cluster.NodeInfo;
import io.varve.codec.SegmentCodecs;
import io.varve.engine.ReadableSegments;
import io.varve.store.DirectorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import io.varve.store.TransferLane;
import io.varve.store.UploadPlan;
import io.varve.store.s3.S3SegmentStore;
import io.varve.store.s3.S3Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code varve.store.*}: the segment store.
 *
 * @param type {@code none}, {@code directory} or {@code s3}
 * @param name nodes that announce the same name share the store
 * @param directory for {@code directory}: a directory that all nodes share
 * @param uploads concurrent uploads of a node
 * @param uploadBytesPerSecond the node's limit, 0 for none
 * @param bundleFileBytes files up to this length share an object
 * @param bundleBytes maximum length of such an object
 * @param compression whether compressible files are stored as zstd
 * @param uploadIntervalMillis minimum time between two uploads of a shard
 * @param keptManifests number of recent manifests whose files are kept
 * @param graceMillis time for which a file is kept after none of them names it
 * @param garbageIntervalMillis interval of garbage collection
 * @param breakerOpenMillis time for which a failing store gets no requests, 0 to disable the
 *     breaker
 */
@ConfigurationProperties("varve.store")
public record StoreProperties(
    @DefaultValue("none") Type type,
    @DefaultValue("varve") String name,
    @Nullable Path directory,
    @DefaultValue S3 s3,
    @DefaultValue("4") int uploads,
    @DefaultValue("0") long uploadBytesPerSecond,
    @DefaultValue("1048576") long bundleFileBytes,
    @DefaultValue("8388608") long bundleBytes,
    @DefaultValue("true") boolean compression,
    @DefaultValue("1000") long uploadIntervalMillis,
    @DefaultValue("10") int keptManifests,
    @DefaultValue("1800000") long graceMillis,
    @DefaultValue("60000") long garbageIntervalMillis,
    @DefaultValue("2000") long breakerOpenMillis) {

  private static final long LONGEST_OPEN_MILLIS = 600_000;

  public StoreProperties {
    if (breakerOpenMillis < 0 || breakerOpenMillis > LONGEST_OPEN_MILLIS) {
      throw new IllegalArgumentException(
          "varve.store.breaker-open-millis must be 0 to "
              + LONGEST_OPEN_MILLIS
              + ", was "
              + breakerOpenMillis);
    }
  }

  /** The kind of store. */
  public enum Type {
    NONE,
    DIRECTORY,
    S3
  }

  /**
   * An S3 API.
   *
   * @param endpoint unset for Amazon's own
   * @param createBucket whether a missing bucket is created at startup
   * @param pathStyle whether the bucket is part of the path instead of the host name
   * @param accessKey unset for the credentials of the environment
   * @param encryption {@code AES256}, {@code aws:kms}, or unset for the bucket's default
   * @param attempts maximum attempts of a request
   */
  public record S3(
      @Nullable URI endpoint,
      @DefaultValue("us-east-1") String region,
      @DefaultValue("") String bucket,
      @DefaultValue("false") boolean createBucket,
      @DefaultValue("") String basePath,
      @DefaultValue("false") boolean pathStyle,
      @Nullable String accessKey,
      @Nullable String secretKey,
      @Nullable String encryption,
      @Nullable String kmsKeyId,
      @DefaultValue("16777216") int partBytes,
      @DefaultValue("5") int attempts,
      @DefaultValue("30000") long attemptTimeoutMillis,
      @DefaultValue("120000") long timeoutMillis) {

    /** Without the credentials. */
    @Override
    public String toString() {
      return "S3[endpoint=%s, region=%s, bucket=%s, basePath=%s]"
          .formatted(endpoint, region, bucket, basePath);
    }

    S3SegmentStore store() {
      S3SegmentStore made = new S3SegmentStore(settings());
      if (createBucket) {
        try {
          made.createBucketIfMissing();
        } catch (IOException e) {
          made.close();
          throw new UncheckedIOException("the bucket " + bucket + " can't be created", e);
        }
      }
      return made;
    }

    private S3Settings settings() {
      return new S3Settings(
          endpoint,
          region,
          bucket,
          basePath,
          pathStyle,
          accessKey == null || secretKey == null
              ? null
              : new S3Settings.Credentials(accessKey, secretKey),
          encryption == null ? null : new S3Settings.Encryption(encryption, kmsKeyId),
          partBytes,
          new S3Settings.Limits(
              Duration.ofMillis(attemptTimeoutMillis), Duration.ofMillis(timeoutMillis), attempts));
    }
  }

  /**
   * A node's attributes, with the name of its store if it has one, the newest segment format that
   * it reads, and the codecs that it cannot read.
   */
  Map<String, String> announced(Map<String, String> attributes) {
    Map<String, String> all = new HashMap<>(attributes);
    if (type != Type.NONE) {
      all.put(NodeInfo.STORE_ATTRIBUTE, name);
    }
    all.put(NodeInfo.READER_VERSION_ATTRIBUTE, ReadableSegments.ownVersion().toString());
    SegmentCodecs.missing("zstd")
        .ifPresent(reason -> all.put(NodeInfo.WITHOUT_ZSTD_ATTRIBUTE, reason));
    return all;
  }

  /**
   * The store, with a separate budget for uploads; {@code null} for a node without a store.
   *
   * @param measured wraps the store
   */
  @Nullable StoreAccess access(InstantSource clock, UnaryOperator<SegmentStore> measured) {
    if (uploads < 1 || uploads > 256) {
      throw new IllegalArgumentException("varve.store.uploads must be 1 to 256, was " + uploads);
    }
    SegmentStore store = store(clock);
    return store == null
        ? null
        : new StoreAccess(
            name,
            measured.apply(store),
            new StoreAccess.Settings(
                new UploadPlan.Limits(bundleFileBytes, bundleBytes),
                uploadIntervalMillis,
                new StoreAccess.Retention(keptManifests, graceMillis, garbageIntervalMillis),
                compression),
            new TransferBudget(Map.of(TransferLane.UPLOAD, uploadBytesPerSecond)),
            new Semaphore(uploads));
  }

  private @Nullable SegmentStore store(InstantSource clock) {
    return switch (type) {
      case NONE -> null;
      case S3 -> s3.store();
      case DIRECTORY -> {
        if (directory == null) {
          throw new IllegalArgumentException(
              "varve.store.type=directory needs varve.store.directory");
        }
        yield new DirectorySegmentStore(directory, clock);
      }
    };
  }
}
