package io.varve.store.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.S3Exceptions;
import org.gaul.s3proxy.blobstore.domain.MultipartUpload;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** A real S3 API over HTTP, on a directory, with fault injection. */
final class S3Server implements AutoCloseable {

  static final String BUCKET = "segments";
  private static final String ACCESS_KEY = "key";
  private static final String SECRET_KEY = "secret";

  /** The number of next requests of each kind that fail. */
  static final class Faults {
    final AtomicInteger busyPuts = new AtomicInteger();
    final AtomicInteger putsWithoutAnAnswer = new AtomicInteger();
    final AtomicInteger busyParts = new AtomicInteger();
    final AtomicInteger busyGets = new AtomicInteger();
    final AtomicInteger cutGets = new AtomicInteger();

    /** The numbers of the parts that have arrived. A client may send a part again. */
    final Set<Integer> parts = ConcurrentHashMap.newKeySet();

    private static boolean strikes(AtomicInteger left) {
      return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
  }

  private static final class FaultyStore extends ForwardingBlobStore {
    private final Faults faults;

    FaultyStore(BlobStore store, Faults faults) {
      super(store);
      this.faults = faults;
    }

    private static RuntimeException busy() {
      return S3Exceptions.fromStatusCode(503);
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream content) {
      if (Faults.strikes(faults.busyPuts)) {
        throw busy();
      }
      PutObjectResponse done = super.putBlob(request, content);
      if (Faults.strikes(faults.putsWithoutAnAnswer)) {
        throw busy();
      }
      return done;
    }

    @Override
    public UploadPartResponse uploadMultipartPart(
        MultipartUpload upload, UploadPartRequest request, InputStream content) {
      if (Faults.strikes(faults.busyParts)) {
        throw busy();
      }
      faults.parts.add(request.partNumber());
      return super.uploadMultipartPart(upload, request, content);
    }

    @Override
    public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
      if (Faults.strikes(faults.busyGets)) {
        throw busy();
      }
      ResponseInputStream<GetObjectResponse> whole = super.getBlob(request);
      if (!Faults.strikes(faults.cutGets)) {
        return whole;
      }
      try {
        byte[] half = whole.readNBytes((int) (whole.response().contentLength() / 2));
        return new ResponseInputStream<>(whole.response(), new ByteArrayInputStream(half));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  final Faults faults = new Faults();
  private final FaultyStore blobs;
  private final S3Proxy proxy;

  S3Server(Path folder) throws Exception {
    blobs = new FaultyStore(new FilesystemNio2BlobStore(folder.toString()), faults);
    proxy =
        S3Proxy.builder()
            .blobStore(blobs)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
            .build();
    proxy.start();
    try (S3Client client = S3Clients.of(settings())) {
      client.createBucket(r -> r.bucket(BUCKET));
    }
  }

  S3Settings settings() {
    return new S3Settings(
        URI.create("http://127.0.0.1:" + proxy.getPort()),
        "us-east-1",
        BUCKET,
        "a/b",
        true,
        new S3Settings.Credentials(ACCESS_KEY, SECRET_KEY),
        null,
        S3Settings.LEAST_PART_BYTES,
        new S3Settings.Limits(Duration.ofSeconds(60), Duration.ofMinutes(3), 4));
  }

  /** Returns the multipart uploads that are neither completed nor aborted. */
  List<?> unfinishedUploads() {
    return blobs.listMultipartUploads(BUCKET);
  }

  @Override
  public void close() throws Exception {
    proxy.stop();
  }
}
