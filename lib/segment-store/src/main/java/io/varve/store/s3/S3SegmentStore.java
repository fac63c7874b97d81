package io.varve.store.s3;

import io.varve.events.ShardId;
import io.varve.store.SegmentStore;
import io.varve.store.SourceGoneException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A segment store in a bucket. A short object is one request; a long one is a multipart upload,
 * which becomes visible only when complete.
 *
 * <p>No conditional writes are needed: a key identifies one content, so concurrent writers write
 * the same bytes. The client retries transient failures; the remaining ones are reported as {@link
 * IOException}, after which the object does not exist.
 *
 * <p>Object names: {@link S3Keys}.
 */
public final class S3SegmentStore implements SegmentStore, AutoCloseable {

  private static final int GONE = 404;
  private static final int OUT_OF_RANGE = 416;

  private final S3Client client;
  private final S3Settings settings;
  private final S3Keys keys;

  public S3SegmentStore(S3Settings settings) {
    this(settings, S3Clients.of(settings));
  }

  S3SegmentStore(S3Settings settings, S3Client client) {
    this.settings = settings;
    this.client = client;
    this.keys = new S3Keys(settings.basePath());
  }

  /** Creates the bucket unless it exists. */
  public void createBucketIfMissing() throws IOException {
    reading(
        settings.bucket(),
        () -> {
          try {
            client.headBucket(r -> r.bucket(settings.bucket()));
          } catch (NoSuchBucketException e) {
            createBucket();
          }
        });
  }

  private void createBucket() {
    try {
      client.createBucket(r -> r.bucket(settings.bucket()));
    } catch (BucketAlreadyOwnedByYouException e) {
      System.getLogger(S3SegmentStore.class.getName())
          .log(System.Logger.Level.DEBUG, "another node created the bucket concurrently");
    }
  }

  @Override
  public void put(Key key, InputStream content, long lengthBytes) throws IOException {
    Long present = lengthOf(key);
    if (present != null) {
      requireLength(key, present, lengthBytes);
      return;
    }
    if (lengthBytes <= settings.partBytes()) {
      byte[] bytes = content.readNBytes((int) lengthBytes + 1);
      requireLength(key, bytes.length, lengthBytes);
      attempt(key, () -> client.putObject(putRequest(key), RequestBody.fromBytes(bytes)));
    } else {
      putInParts(key, content, lengthBytes);
    }
  }

  private PutObjectRequest putRequest(Key key) {
    PutObjectRequest.Builder request =
        PutObjectRequest.builder().bucket(settings.bucket()).key(keys.of(key));
    S3Settings.Encryption encryption = settings.encryption();
    if (encryption != null) {
      request.serverSideEncryption(encryption.algorithm()).ssekmsKeyId(encryption.kmsKeyId());
    }
    return request.build();
  }

  private void putInParts(Key key, InputStream content, long lengthBytes) throws IOException {
    String upload = attempt(key, () -> client.createMultipartUpload(uploadRequest(key)).uploadId());
    boolean complete = false;
    try {
      List<CompletedPart> parts = sendParts(key, upload, content, lengthBytes);
      attempt(
          key,
          () ->
              client.completeMultipartUpload(r ->
                  r.bucket(settings.bucket())
                      .key(keys.of(key))
                      .uploadId(upload)
                      .multipartUpload(m -> m.parts(parts))));
      complete = true;
    } finally {
      if (!complete) {
        abort(key, upload);
      }
    }
  }

  private CreateMultipartUploadRequest uploadRequest(Key key) {
    CreateMultipartUploadRequest.Builder request =
        CreateMultipartUploadRequest.builder().bucket(settings.bucket()).key(keys.of(key));
    S3Settings.Encryption encryption = settings.encryption();
    if (encryption != null) {
      request.serverSideEncryption(encryption.algorithm()).ssekmsKeyId(encryption.kmsKeyId());
    }
    return request.build();
  }

  private List<CompletedPart> sendParts(
      Key key, String upload, InputStream content, long lengthBytes) throws IOException {
    List<CompletedPart> parts = new ArrayList<>();
    int partBytes = settings.partBytesOf(lengthBytes);
    long sent = 0;
    for (byte[] part = content.readNBytes(partBytes);
        part.length > 0;
        part = content.readNBytes(partBytes)) {
      sent += part.length;
      if (sent > lengthBytes) {
        break;
      }
      int number = parts.size() + 1;
      RequestBody body = RequestBody.fromBytes(part);
      String tag =
          attempt(
              key,
              () ->
                  client
                      .uploadPart(
                          r ->
                              r.bucket(settings.bucket())
                                  .key(keys.of(key))
                                  .uploadId(upload)
                                  .partNumber(number),
                          body)
                      .eTag());
      parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    }
    requireLength(key, sent, lengthBytes);
    return parts;
  }

  /** Abandoned parts cost money and are not listed as objects. */
  private void abort(Key key, String upload) {
    try {
      client.abortMultipartUpload(
          r -> r.bucket(settings.bucket()).key(keys.of(key)).uploadId(upload));
    } catch (SdkException e) {
      System.getLogger(S3SegmentStore.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "could not abort the upload of " + key.path() + "; its parts remain in the bucket",
              e);
    }
  }

  @Override
  public boolean exists(Key key) throws IOException {
    return lengthOf(key) != null;
  }

  private @Nullable Long lengthOf(Key key) throws IOException {
    try {
      return client.headObject(r -> r.bucket(settings.bucket()).key(keys.of(key))).contentLength();
    } catch (S3Exception e) {
      if (e.statusCode() == GONE) {
        return null;
      }
      throw failed(key, e);
    } catch (SdkException e) {
      throw failed(key, e);
    }
  }

  @Override
  public InputStream open(Key key, long fromByte, long length) throws IOException {
    if (length == 0) {
      return InputStream.nullInputStream();
    }
    try {
      return client.getObject(r ->
          r.bucket(settings.bucket())
              .key(keys.of(key))
              .range("bytes=" + fromByte + "-" + (fromByte + length - 1)));
    } catch (S3Exception e) {
      if (e.statusCode() == GONE) {
        throw new SourceGoneException("no object " + key.path());
      }
      if (e.statusCode() == OUT_OF_RANGE) {
        return new ByteArrayInputStream(new byte[0]);
      }
      throw failed(key, e);
    } catch (SdkException e) {
      throw failed(key, e);
    }
  }

  @Override
  public void delete(Key key) throws IOException {
    attempt(key, () -> client.deleteObject(r -> r.bucket(settings.bucket()).key(keys.of(key))));
  }

  @Override
  public List<Present> list(Kind kind, ShardId shard) throws IOException {
    String folder = keys.folder(kind, shard);
    List<Present> found = new ArrayList<>();
    reading(
        folder,
        () -> {
          for (S3Object object :
              client
                  .listObjectsV2Paginator(r -> r.bucket(settings.bucket()).prefix(folder))
                  .contents()) {
            keys.parse(kind, shard, object.key())
                .ifPresent(key -> found.add(new Present(key, object.size())));
          }
        });
    return found;
  }

  @Override
  public List<ShardId> shards(Kind kind) throws IOException {
    List<ShardId> found = new ArrayList<>();
    for (String all : everythingOf(kind)) {
      for (String index : folders(all)) {
        for (String shard : folders(index)) {
          keys.shard(all, shard).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  private List<String> everythingOf(Kind kind) throws IOException {
    return kind == Kind.MANIFESTS
        ? List.of(keys.manifests())
        : folders(keys.base()).stream().flatMap(folder -> keys.segments(folder).stream()).toList();
  }

  private List<String> folders(String prefix) throws IOException {
    List<String> found = new ArrayList<>();
    reading(
        prefix,
        () ->
            client
                .listObjectsV2Paginator(
                    r -> r.bucket(settings.bucket()).prefix(prefix).delimiter("/"))
                .commonPrefixes()
                .forEach(folder -> found.add(folder.prefix())));
    return found;
  }

  private static void reading(String what, Runnable request) throws IOException {
    try {
      request.run();
    } catch (SdkException e) {
      throw new IOException(what + ": " + e.getMessage(), e);
    }
  }

  private interface Request<T> {
    T send();
  }

  private static <T> T attempt(Key key, Request<T> request) throws IOException {
    try {
      return request.send();
    } catch (SdkException e) {
      throw failed(key, e);
    }
  }

  private static IOException failed(Key key, SdkException cause) {
    return new IOException("object " + key.path() + ": " + cause.getMessage(), cause);
  }

  private static void requireLength(Key key, long found, long expected) throws IOException {
    if (found != expected) {
      throw new IOException(
          "object " + key.path() + " has " + found + " bytes, expected " + expected);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
