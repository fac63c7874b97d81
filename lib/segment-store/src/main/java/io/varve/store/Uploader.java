package io.varve.store;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
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
 * Uploads the files of one shard's manifests, several objects at a time, within the node's permits
 * and budget. Stateless except for its counters.
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

  /** Objects uploaded so far. */
  public long objects() {
    return objects.sum();
  }

  /** Bytes of the files uploaded so far, before compression. */
  public long bytes() {
    return bytes.sum();
  }

  /**
   * Returns when all files are in the store.
   *
   * @param stored files already stored
   * @param paths local paths of the files, valid during this call
   * @throws IOException if not all files could be stored, or a local file no longer matches its
   *     manifest; uploaded objects remain unreferenced
   */
  public StoredManifest upload(
      Manifest manifest, @Nullable StoredManifest stored, Function<SegmentFile, Path> paths)
      throws IOException, InterruptedException {
    UploadPlan plan = UploadPlan.of(manifest, stored, access.settings().bundling());
    List<Callable<Map<String, StoredManifest.Place>>> puts = new ArrayList<>();
    for (SegmentFile file : plan.alone()) {
      puts.add(() -> put(SegmentStore.Key.of(shard, term, file), List.of(file), paths));
    }
    for (List<SegmentFile> bundle : plan.bundles()) {
      // Each attempt uses a unique name: an object left by an earlier attempt may have other
      // content.
      SegmentStore.Key key =
          new SegmentStore.Key(
              SegmentStore.Kind.SEGMENTS,
              shard,
              term,
              "bundle-" + manifest.generation() + "-" + UUID.randomUUID());
      puts.add(() -> put(key, bundle, paths));
    }
    Map<String, StoredManifest.Place> places = new HashMap<>(plan.present());
    runAll(puts).forEach(places::putAll);
    return new StoredManifest(shard, term, manifest, places);
  }

  /** Returns the locations of the files. */
  private Map<String, StoredManifest.Place> put(
      SegmentStore.Key plainKey, List<SegmentFile> files, Function<SegmentFile, Path> paths)
      throws IOException, InterruptedException {
    access.uploads().acquire();
    try {
      List<StoredForm> forms = new ArrayList<>();
      for (SegmentFile file : files) {
        forms.add(StoredForm.of(file, paths.apply(file), access.settings().packs()));
      }
      SegmentStore.Key key =
          forms.stream().allMatch(StoredForm::isPacked) ? plainKey.packed() : plainKey;
      long length = forms.stream().mapToLong(StoredForm::storedBytes).sum();
      try (InputStream content = content(forms)) {
        access.store().put(key, new PacedStream(content, access.budget()), length);
      }
      objects.increment();
      bytes.add(files.stream().mapToLong(SegmentFile::lengthBytes).sum());
      return places(key, forms);
    } finally {
      access.uploads().release();
    }
  }

  private Map<String, StoredManifest.Place> places(SegmentStore.Key key, List<StoredForm> forms) {
    Map<String, StoredManifest.Place> places = new HashMap<>();
    long fromByte = 0;
    for (StoredForm form : forms) {
      places.put(
          form.file().name(),
          new StoredManifest.Place(null, term, key.object(), fromByte, form.packedBytes()));
      fromByte += form.storedBytes();
    }
    return places;
  }

  private static InputStream content(List<StoredForm> forms) throws IOException {
    List<InputStream> streams = new ArrayList<>();
    try {
      for (StoredForm form : forms) {
        streams.add(form.open());
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

  /** Waits for all uploads even if one fails: they read files that must not be deleted. */
  private static <T> List<T> runAll(List<Callable<T>> puts)
      throws IOException, InterruptedException {
    List<FutureTask<T>> tasks = puts.stream().map(FutureTask<T>::new).toList();
    List<Thread> threads =
        tasks.stream().map(task -> Thread.ofVirtual().name("segment-upload").start(task)).toList();
    try {
      List<T> results = new ArrayList<>();
      IOException failure = null;
      for (FutureTask<T> task : tasks) {
        try {
          results.add(task.get());
        } catch (ExecutionException e) {
          failure = e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        }
      }
      if (failure != null) {
        throw failure;
      }
      return results;
    } finally {
      for (Thread thread : threads) {
        thread.interrupt();
      }
      Joining.uninterruptibly(threads);
    }
  }
}
