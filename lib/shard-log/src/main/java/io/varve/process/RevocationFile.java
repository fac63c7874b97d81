package io.varve.process;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link Revocations} in a file beside that of the authorities. Callers notice a change of
 * either file within a second, and no caller waits for another one that checks the files. A file
 * that is refused is logged once, and {@link #refusal} names it.
 */
public final class RevocationFile implements Supplier<Revocations> {

  private static final Logger LOG = LoggerFactory.getLogger(RevocationFile.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A file system with coarse times may give two changes of a file the same stamp. After a change,
   * the next checks therefore read the files again; files that have been unchanged for longer cost
   * nothing.
   */
  private static final int LOOKS_AFTER_A_CHANGE = 3;

  private record Stamps(FileStamp list, FileStamp authorities) {}

  /**
   * The last state that this process read from the files.
   *
   * @param refusal why the file is not in use; empty if it is
   * @param looks how many of the next checks read the files even if their stamps are the same
   */
  private record Known(Stamps stamps, Revocations revocations, String refusal, int looks) {

    /** The number of such checks that remain after one that also found these stamps. */
    int looksAfter(Stamps found) {
      return found.equals(stamps) ? looks - 1 : LOOKS_AFTER_A_CHANGE;
    }
  }

  private final Path file;
  private final Path authorities;
  private final Ticker ticker;
  private final AtomicLong lookAgainNanos;
  private volatile Known known;

  /**
   * @param file in PEM; it need not exist
   * @param authorities the trusted authorities, in PEM
   * @throws IOException one of the files can't be used
   */
  public RevocationFile(Path file, Path authorities, Ticker ticker) throws IOException {
    this.file = file;
    this.authorities = authorities;
    this.ticker = ticker;
    this.lookAgainNanos = new AtomicLong(ticker.nanos() + PAUSE_NANOS);
    this.known =
        switch (read(Revocations.NONE, stamps(), LOOKS_AFTER_A_CHANGE)) {
          case Known(_, _, String refusal, _) when !refusal.isEmpty() ->
              throw new IOException(
                  "the list of revoked certificates [" + file + "] can't be used: " + refusal);
          case Known first -> first;
        };
  }

  /** The revoked certificates now. */
  @Override
  public Revocations get() {
    long now = ticker.nanos();
    long due = lookAgainNanos.get();
    if (now - due >= 0 && lookAgainNanos.compareAndSet(due, now + PAUSE_NANOS)) {
      look();
    }
    return known.revocations();
  }

  /** Why the current file is not in use; empty if it is. */
  public String refusal() {
    return known.refusal();
  }

  /** Reads the files if they have changed, even within the pause of {@link #get}. */
  public synchronized void look() {
    Known before = known;
    try {
      // The stamps are read first, so that the next check detects a change during the reading of
      // the files.
      Stamps stamps = stamps();
      int looks = before.looksAfter(stamps);
      if (looks < 0) {
        return;
      }
      Known next = read(before.revocations(), stamps, looks);
      known = next;
      log(before, next);
    } catch (IOException e) {
      LOG.warn("the list of revoked certificates can't be read; the previous list stays in use", e);
    }
  }

  private void log(Known before, Known next) {
    if (!next.refusal().isEmpty()) {
      if (next.refusal().equals(before.refusal()) && next.stamps().equals(before.stamps())) {
        return;
      }
      LOG.error(
          "the list of revoked certificates [{}] is refused, the previous list stays in use: {}",
          file,
          next.refusal());
    } else if (!next.revocations().equals(before.revocations()) || !before.refusal().isEmpty()) {
      LOG.info("{} certificates are revoked", next.revocations().count());
    }
  }

  private Stamps stamps() throws IOException {
    return new Stamps(FileStamp.ofPossible(file), FileStamp.of(authorities));
  }

  /** Revocations that have not changed stay the same object, so comparing them costs nothing. */
  private Known read(Revocations before, Stamps stamps, int looks) throws IOException {
    @Nullable String text = stamps.list().exists() ? Files.readString(file, US_ASCII) : null;
    return switch (before.next(text, Pem.certificates(Files.readString(authorities)))) {
      case Revocations.Outcome.Accepted(Revocations next) ->
          new Known(stamps, next.equals(before) ? before : next, "", looks);
      case Revocations.Outcome.Refused(String reason) -> new Known(stamps, before, reason, looks);
    };
  }
}
