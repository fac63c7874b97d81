package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Several concurrent primaries of one shard, all but one of which are fenced. Each claims its term,
 * uploads, records what is stored and deletes garbage without a grace period, and may pause for any
 * time before each step. The order of the steps is drawn from a seed.
 */
class StoreClaimHistoriesTest {

  private static final ShardId SHARD = new ShardId("u1", 0);
  private static final int HISTORIES = 400;
  private static final int TERMS = 4;

  @Test
  void objectsOfTheHighestClaimsManifestAreNeverDeleted() throws Exception {
    for (long seed = 0; seed < HISTORIES; seed++) {
      try (Turns turns = new Turns(seed)) {
        new History(seed, turns).run();
      }
    }
  }

  private static final class History {
    private final long seed;
    private final Turns turns;
    private final InMemorySegmentStore store = new InMemorySegmentStore();
    private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
    private final PartitionLog raw = log.open("m", 0);
    private final Map<Long, StoredManifest> buildsOn = new HashMap<>();

    History(long seed, Turns turns) {
      this.seed = seed;
      this.turns = turns;
      store.faults(
          new InMemorySegmentStore.Faults() {
            @Override
            public void before(String operation, SegmentStore.Key key) {
              turns.next();
            }
          });
    }

    void run() throws Exception {
      for (int term = 1; term <= TERMS; term++) {
        long mine = term;
        turns.actor(() -> primary(mine));
      }
      while (turns.step()) {
        check();
      }
      assertThat(turns.failures()).as("seed %d", seed).isEmpty();
    }

    private void check() throws IOException {
      long highest = buildsOn.keySet().stream().mapToLong(t -> t).max().orElse(0);
      StoredManifest stored = buildsOn.get(highest);
      if (stored == null) {
        return;
      }
      for (StoredManifest.Place place : stored.places().values()) {
        SegmentStore.Key key =
            new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, SHARD, place.term(), place.object());
        assertThat(turns.aside(() -> store.exists(key)))
            .as("seed %d: term %d builds on %s", seed, highest, key.path())
            .isTrue();
      }
    }

    private void primary(long term) throws Exception {
      ManifestLog manifests = new ManifestLog(new SteppedLog(raw, turns));
      ManifestLog.Claim claim;
      try {
        claim = manifests.claim(SHARD, term);
      } catch (LogException.Unavailable late) {
        return;
      }
      buildsOn.put(term, claim.stored());
      StoreAccess access =
          new StoreAccess(
              "s",
              store,
              new StoreAccess.Settings(
                  UploadPlan.Limits.DEFAULT, 0, new StoreAccess.Retention(1, 0, 1)),
              TransferBudget.UNLIMITED,
              new Semaphore(1));
      GarbageRun garbage =
          new GarbageRun(SHARD, access, new TermClaim(manifests, claim), () -> Instant.EPOCH);
      Random random = new Random(seed * 31 + term);
      StoredManifest stored = claim.stored();
      for (int generation = 1; generation <= 3; generation++) {
        stored = upload(term, generation, stored, random);
        new StoredPoints(store)
            .put(new StoredPoints.Point(stored, Json.mapper().createObjectNode()));
        manifests.append(stored);
        buildsOn.put(term, stored);
        garbage.run(stored);
      }
    }

    /** Uploads a manifest with some of the earlier files and a new one. */
    private StoredManifest upload(long term, int generation, StoredManifest before, Random random)
        throws IOException {
      List<SegmentFile> files = new ArrayList<>();
      Map<String, StoredManifest.Place> places = new HashMap<>();
      @Nullable Manifest base = before.manifest();
      for (SegmentFile file : base == null ? List.<SegmentFile>of() : base.files()) {
        if (random.nextBoolean()) {
          files.add(file);
          places.put(file.name(), before.places().get(file.name()));
        }
      }
      String name = "_" + term + "_" + generation;
      SegmentFile made = new SegmentFile(name, 1, "1", name);
      SegmentStore.Key key = SegmentStore.Key.of(SHARD, term, made);
      store.put(key, new ByteArrayInputStream(new byte[1]), 1);
      files.add(made);
      places.put(name, new StoredManifest.Place(term, key.object(), 0));
      Manifest manifest =
          new Manifest(SHARD, "n", term, generation, 0, 0, term, -1, files, "", Map.of(), 0);
      return new StoredManifest(SHARD, term, manifest, places);
    }
  }

  /** A partition of which each call is a step of the history. */
  private static final class SteppedLog extends DelegatingLog {

    private final Turns turns;

    SteppedLog(PartitionLog log, Turns turns) {
      super(log);
      this.turns = turns;
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      turns.next();
      super.append(record, callback);
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      turns.next();
      super.read(fromOffset, toOffset, visitor);
    }

    @Override
    public long endOffset() throws LogException.Unavailable {
      turns.next();
      return super.endOffset();
    }
  }
}
