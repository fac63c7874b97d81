package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Brings the files of one shard's manifests to the store, several objects at a time, as far as the
 * node's slots and budget allow. Stateless but for its figures.
 */
public final class Uploader {

  private final StoreAccess access;
  private final ShardId shard;
  private final long term;
  private final LongAdder objects = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  public Uploader(StoreAccess access, ShardId shard, long term) {
    this.access = access;
    this.shard = shard;
    this.term = term;
  }

  /** Objects put so far. */
  public long objects() {
    return objects.sum();
  }

  /** Bytes of the objects put so far. */
  public long bytes() {
    return bytes.sum();
  }

  /**
   * Returns when all files are in the store.
   *
   * @param stored what is there already
   * @param paths where the files are, as long as this runs
   * @throws IOException the store did not take all of them, or a file is no more what its manifest
   *     says; what it took stays, unnamed
   */
  public StoredManifest upload(
      Manifest manifest, @Nullable StoredManifest stored, Function<SegmentFile, Path> paths)
      throws IOException, InterruptedException {
    UploadPlan plan = UploadPlan.of(manifest, stored, access.settings().bundling());
    Map<String, StoredManifest.Place> places = new HashMap<>(plan.present());
    List<Callable<Void>> puts = new ArrayList<>();
    for (SegmentFile file : plan.alone()) {
      SegmentStore.Key key = SegmentStore.Key.of(shard, term, file);
      places.put(file.name(), new StoredManifest.Place(term, key.object(), 0));
      puts.add(() -> put(key, List.of(file), paths));
    }
    for (List<SegmentFile> bundle : plan.bundles()) {
      // A name of its own for each attempt: what an attempt before left behind is another's.
      SegmentStore.Key key =
          new SegmentStore.Key(
              SegmentStore.Kind.SEGMENTS,
              shard,
              term,
              "bundle-" + manifest.generation() + "-" + UUID.randomUUID());
      place(bundle, key, places);
      puts.add(() -> put(key, bundle, paths));
    }
    runAll(puts);
    return new StoredManifest(shard, term, manifest, places);
  }

  private void place(
      List<SegmentFile> bundle, SegmentStore.Key key, Map<String, StoredManifest.Place> places) {
    long fromByte = 0;
    for (SegmentFile file : bundle) {
      places.put(file.name(), new StoredManifest.Place(term, key.object(), fromByte));
      fromByte += file.lengthBytes();
    }
  }

  private Void put(SegmentStore.Key key, List<SegmentFile> files, Function<SegmentFile, Path> paths)
      throws IOException, InterruptedException {
    long length = files.stream().mapToLong(SegmentFile::lengthBytes).sum();
    access.uploads().acquire();
    try (InputStream content = content(files, paths)) {
      access.store().put(key, new PacedStream(content, access.budget()), length);
    } finally {
      access.uploads().release();
    }
    objects.increment();
    bytes.add(length);
    return null;
  }

  private static InputStream content(List<SegmentFile> files, Function<SegmentFile, Path> paths)
      throws IOException {
    List<InputStream> streams = new ArrayList<>();
    try {
      for (SegmentFile file : files) {
        streams.add(new CheckedFile(Files.newInputStream(paths.apply(file)), file));
      }
    } catch (IOException e) {
      for (InputStream stream : streams) {
        stream.close();
      }
      throw e;
    }
    return streams.size() == 1
        ? streams.getFirst()
        : new SequenceInputStream(Collections.enumeration(streams));
  }

  /** Waits for all of them, whatever becomes of one: they read files that must stay. */
  private static void runAll(List<Callable<Void>> puts) throws IOException, InterruptedException {
    List<FutureTask<Void>> tasks = puts.stream().map(FutureTask<Void>::new).toList();
    List<Thread> threads =
        tasks.stream().map(task -> Thread.ofVirtual().name("segment-upload").start(task)).toList();
    try {
      IOException failure = null;
      for (FutureTask<Void> task : tasks) {
        try {
          task.get();
        } catch (ExecutionException e) {
          failure = e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
      }
      if (failure != null) {
        throw failure;
      }
    } finally {
      for (Thread thread : threads) {
        thread.interrupt();
      }
      Joining.uninterruptibly(threads);
    }
  }
}
