package io.varve.http.security;

import io.varve.process.FileStamp;
import io.varve.process.RevocationFile;
import io.varve.process.SteadyTimer;
import io.varve.tls.CertificateFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;

/**
 * The files of the certificates of this process: its key, the authorities, and the revoked ones.
 *
 * <p>INVARIANT: after {@link #look} has returned, all connections that this process makes or
 * accepts use the files as they were when it was called. It is called before each use of a
 * certificate: by each call of another process, by each accepted connection, and by a timer, for a
 * process without calls. A file therefore takes effect when it is renamed to its final name, at the
 * same moment for all connections, including those to Kafka.
 *
 * <p>Files that can't be used are logged once; the previously read files stay in use.
 */
final class CertificateFiles implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CertificateFiles.class);
  private static final long PAUSE_SECONDS = 1;

  private record Stamps(FileStamp node, FileStamp authorities, FileStamp revocations) {

    static Stamps of(Path folder) throws IOException {
      return new Stamps(
          FileStamp.ofPossible(folder.resolve(CertificateFolder.NODE_FILE)),
          FileStamp.ofPossible(folder.resolve(CertificateFolder.TRUST_FILE)),
          FileStamp.ofPossible(folder.resolve(CertificateFolder.REVOCATIONS_FILE)));
    }

    boolean hasTheBundleOf(Stamps other) {
      return node.equals(other.node) && authorities.equals(other.authorities);
    }
  }

  private final Path folder;
  private final RevocationFile revocations;
  private final Supplier<SslBundle> reader;
  private final Consumer<SslBundle> users;
  private final AtomicBoolean isUnreadable = new AtomicBoolean();
  private final SteadyTimer timer = new SteadyTimer("certificate-files");
  private volatile Stamps seen;

  /**
   * @param reader creates a bundle from the current files
   * @param users receives the first bundle and each changed one, and returns once it is in use
   * @throws IOException the folder can't be read
   * @throws RuntimeException the files can't be used
   */
  CertificateFiles(
      Path folder,
      RevocationFile revocations,
      Supplier<SslBundle> reader,
      Consumer<SslBundle> users)
      throws IOException {
    this.folder = folder;
    this.revocations = revocations;
    this.reader = reader;
    this.users = users;
    Stamps now;
    SslBundle first;
    do {
      now = Stamps.of(folder);
      first = read();
    } while (!now.equals(Stamps.of(folder)));
    this.seen = now;
    users.accept(first);
  }

  /** Also calls {@link #look} periodically. */
  CertificateFiles watched() {
    var _ =
        timer.scheduleWithFixedDelay(this::look, PAUSE_SECONDS, PAUSE_SECONDS, TimeUnit.SECONDS);
    return this;
  }

  /** Uses the current files. A thread that finds a change waits until it is in use. */
  void look() {
    try {
      if (!Stamps.of(folder).equals(seen)) {
        change();
      }
      isUnreadable.set(false);
    } catch (IOException e) {
      if (isUnreadable.compareAndSet(false, true)) {
        LOG.error("the folder of the certificates can't be read; the previous ones stay in use", e);
      }
    }
  }

  private synchronized void change() throws IOException {
    // The stamps are read first, so that the next look detects a change made while the files are
    // read.
    Stamps now = Stamps.of(folder);
    while (!now.equals(seen)) {
      revocations.look();
      if (now.hasTheBundleOf(seen) || use(now)) {
        seen = now;
      }
      now = Stamps.of(folder);
    }
  }

  /**
   * Reads the files. The key and its certificate are read one after the other, so they may be of
   * different files if a file was replaced meanwhile.
   */
  private SslBundle read() {
    SslBundle bundle = reader.get();
    // Until these calls, the bundle only names the files.
    var _ = TlsConfiguration.certificate(bundle);
    var _ = bundle.getManagers().getTrustManagers();
    return bundle;
  }

  /** Returns false if a file was replaced while they were read. */
  private boolean use(Stamps now) throws IOException {
    try {
      SslBundle changed = read();
      if (!now.equals(Stamps.of(folder))) {
        return false;
      }
      users.accept(changed);
      return true;
    } catch (RuntimeException e) {
      if (!now.equals(Stamps.of(folder))) {
        return false;
      }
      LOG.error("the changed certificates can't be used; the previous ones stay in use", e);
      return true;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
