package io.varve.replication.replica;

import io.varve.engine.RemoteFiles;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.store.BlockFile;
import io.varve.store.CopyFolder;
import io.varve.store.CopyPlan;
import io.varve.store.Joining;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of manifests that are shown before their files are local: reads fetch blocks from the
 * places that have the file, see {@link CopySources.Place}, and use the copy's folder as soon as
 * the file is complete there. After a place fails, the next one is used; when none is left, the
 * read fails.
 *
 * <p>There is a {@link ManifestSource} for each manifest while a reader over it is open.
 * Thread-safe.
 */
final class OpeningFiles implements RemoteFiles {

  private static final Logger LOG = LoggerFactory.getLogger(OpeningFiles.class);
  private static final CopySources.Place[] PLACES = CopySources.Place.values();
  private static final int LOOKS_AT_ONCE = 8;

  private final CopySources sources;
  private final CopyFolder folder;
  private final Map<SegmentFile, BlockFile> files = new ConcurrentHashMap<>();

  /** The newest is first. */
  private final Deque<ManifestSource> manifestSources = new ConcurrentLinkedDeque<>();

  private final ReentrantLock asking = new ReentrantLock();
  private final LongAdder bytes = new LongAdder();

  /**
   * @param sources used only here
   */
  OpeningFiles(CopySources sources, CopyFolder folder) {
    this.sources = sources;
    this.folder = folder;
  }

  /** The bytes read from other places so far. */
  long bytes() {
    return bytes.sum();
  }

  /** The source of the files of one manifest. */
  final class ManifestSource implements Closeable {
    private final Manifest manifest;
    private final Set<SegmentFile> all;
    private final List<CopyPlan.Fetch> fetches;
    private int turn;
    private volatile CopySources.@Nullable Open open;

    private ManifestSource(Manifest manifest) {
      this.manifest = manifest;
      this.all = Set.copyOf(manifest.files());
      this.fetches = manifest.files().stream().map(file -> new CopyPlan.Fetch(file, 0)).toList();
    }

    void renew(long nowMillis) {
      CopySources.Open now = open;
      if (now != null) {
        now.renew(nowMillis);
      }
    }

    private byte[] read(SegmentFile file, long from, int length) throws IOException {
      IOException failure = new IOException("no node has " + file.name());
      for (int attempt = 0; attempt < PLACES.length; attempt++) {
        CopySources.Open now = opened();
        try {
          return read(now, file, from, length);
        } catch (IOException e) {
          LOG.info("{} {}: {}", manifest.shard(), file.name(), e.toString());
          failure = e;
          leave(now);
        }
      }
      throw failure;
    }

    private byte[] read(CopySources.Open now, SegmentFile file, long from, int length)
        throws IOException {
      try (InputStream in = now.files().open(file, from, length)) {
        byte[] got = in.readNBytes(length);
        if (got.length < length) {
          throw new EOFException(file.name() + " broke off " + got.length + " bytes after " + from);
        }
        bytes.add(length);
        return got;
      }
    }

    /** The open source, or the first place that has the files. */
    private CopySources.Open opened() throws IOException {
      asking.lock();
      try {
        IOException failure = null;
        for (int i = 0; open == null && i < PLACES.length; i++) {
          try {
            open = sources.at(PLACES[turn], manifest, fetches);
          } catch (IOException e) {
            failure = e;
          }
          turn = open == null ? (turn + 1) % PLACES.length : turn;
        }
        CopySources.Open found = open;
        if (found == null) {
          throw new IOException("no node has " + manifest.shard() + " now", failure);
        }
        return found;
      } finally {
        asking.unlock();
      }
    }

    /** The next read uses another place, unless another thread has switched already. */
    @SuppressWarnings("ReferenceEquality") // the same source, not an equal one
    private void leave(CopySources.Open failed) {
      asking.lock();
      try {
        if (open == failed) {
          letGo();
          turn = (turn + 1) % PLACES.length;
        }
      } finally {
        asking.unlock();
      }
    }

    private void letGo() {
      CopySources.Open now = open;
      if (now != null) {
        now.close();
        open = null;
      }
    }

    /** No reader over the manifest is open any more. */
    @Override
    public void close() {
      asking.lock();
      try {
        letGo();
      } finally {
        asking.unlock();
      }
      manifestSources.remove(this);
      closeUnneeded();
    }
  }

  /** Finds a source of that manifest's files; {@link ManifestSource#close} ends it. */
  ManifestSource begin(Manifest manifest) {
    ManifestSource source = new ManifestSource(manifest);
    manifestSources.addFirst(source);
    bringEnds(manifest.files().stream().filter(file -> !files.containsKey(file)).toList());
    return source;
  }

  /** Opening a reader reads both ends of each file, so these are fetched concurrently. */
  private void bringEnds(List<SegmentFile> of) {
    Queue<SegmentFile> left = new ConcurrentLinkedQueue<>(of);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < LOOKS_AT_ONCE; i++) {
      workers.add(
          Thread.ofVirtual()
              .name("opening-" + i)
              .start(() -> {
                for (SegmentFile file = left.poll(); file != null; file = left.poll()) {
                  if (!bringEnds(file)) {
                    left.clear();
                  }
                }
              }));
    }
    Joining.uninterruptibly(workers);
  }

  private boolean bringEnds(SegmentFile file) {
    try {
      file(file).bringEnds();
      return true;
    } catch (IOException e) {
      // Opening the reader fails for the same reason and reports it.
      LOG.debug("{} can't be read yet", file.name(), e);
      return false;
    }
  }

  void renew(long nowMillis) {
    manifestSources.forEach(source -> source.renew(nowMillis));
  }

  @Override
  public void read(SegmentFile file, long position, ByteBuffer into) throws IOException {
    file(file).read(position, into);
  }

  private BlockFile file(SegmentFile file) throws IOException {
    try {
      return files.computeIfAbsent(file, this::blocksOf);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private BlockFile blocksOf(SegmentFile file) {
    try {
      return new BlockFile(file, folder, this::open);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private InputStream open(SegmentFile file, long from, long length) throws IOException {
    for (ManifestSource source : manifestSources) {
      if (source.all.contains(file)) {
        return new ByteArrayInputStream(source.read(file, from, (int) length));
      }
    }
    throw new IOException(file.name() + " is read no more");
  }

  private void closeUnneeded() {
    Set<SegmentFile> needed = new HashSet<>();
    manifestSources.forEach(source -> needed.addAll(source.all));
    for (SegmentFile file : List.copyOf(files.keySet())) {
      BlockFile unneeded = needed.contains(file) ? null : files.remove(file);
      if (unneeded != null) {
        try {
          unneeded.close();
        } catch (IOException e) {
          LOG.warn("{} was not closed", file.name(), e);
        }
      }
    }
  }
}
