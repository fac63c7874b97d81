package io.varve.cluster;

import io.varve.process.SecretFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The secret by which the processes of a cluster authenticate each other's requests. Each process
 * reads it from a file and sends it to the others in the header {@value #HEADER}, but never to
 * another cluster.
 */
public final class ClusterSecret {

  public static final String HEADER = "Varve-Cluster-Secret";

  /** The internal paths, the only ones to which the secret is sent. */
  public static final String INTERNAL = "/_internal";

  private static final int MIN_LENGTH = 32;
  private static final String MAC = "HmacSHA256";

  private final String text;
  private final byte[] digest;

  /**
   * @throws IllegalArgumentException the secret is short, or is no text for a header
   */
  public ClusterSecret(String text) {
    if (text.length() < MIN_LENGTH || !text.matches("[!-~]+")) {
      throw new IllegalArgumentException(
          "the cluster secret has at least "
              + MIN_LENGTH
              + " characters, all of them printable ASCII without spaces");
    }
    this.text = text;
    this.digest = digest(text);
  }

  /**
   * @throws IOException the file can't be read, or users other than its owner may read it
   */
  public static ClusterSecret read(Path file) throws IOException {
    SecretFile.requirePrivate(file);
    return readShared(file);
  }

  /**
   * The same for a file that others may read.
   *
   * @throws IOException the file can't be read, or has no secret
   */
  public static ClusterSecret readShared(Path file) throws IOException {
    try {
      return new ClusterSecret(Files.readString(file).strip());
    } catch (IllegalArgumentException e) {
      throw new IOException("the file [" + file + "] has no secret: " + e.getMessage(), e);
    }
  }

  /** The value of the header. */
  public String header() {
    return text;
  }

  /** Compares in constant time, regardless of where the two differ. */
  public boolean matches(@Nullable String header) {
    return header != null && MessageDigest.isEqual(digest, digest(header));
  }

  /**
   * A key that only processes with the secret can compute.
   *
   * @param purpose keys of different purposes are unrelated
   */
  public SecretKey key(String purpose) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), MAC));
      return new SecretKeySpec(mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8)), MAC);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Not the secret. */
  @Override
  public String toString() {
    return "ClusterSecret";
  }
}
