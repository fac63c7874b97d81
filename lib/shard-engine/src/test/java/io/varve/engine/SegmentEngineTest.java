package io.varve.engine;

import static io.varve.engine.EngineFixture.source;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.rpc.ForceMergeRequest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentEngineTest {

  @TempDir Path folder;
  private EngineFixture primary;
  private Path replicaFolder;
  private SegmentEngine replica;
  private @Nullable RemoteFiles distant;

  @BeforeEach
  void open() {
    primary = new EngineFixture(folder.resolve("primary"));
    replicaFolder = folder.resolve("replica");
    replica = openReplica();
  }

  private SegmentEngine openReplica() {
    return SegmentEngine.open(new EngineConfig(EngineFixture.SHARD, replicaFolder, 0, Map.of()));
  }

  @AfterEach
  void close() {
    replica.close();
    primary.close();
  }

  private Manifest replicate() throws IOException {
    try (Snapshot snapshot = primary.engine.refresh(primary.checkpoint())) {
      EngineFixture.copyFiles(snapshot, replicaFolder);
      Manifest manifest = primary.manifest(snapshot);
      replica.install(manifest);
      return manifest;
    }
  }

  private Set<String> segmentFiles() throws IOException {
    try (Stream<Path> files = Files.list(replicaFolder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("_"))
          .collect(Collectors.toSet());
    }
  }

  private static Set<String> names(Manifest manifest) {
    return manifest.files().stream().map(SegmentFile::name).collect(Collectors.toSet());
  }

  private static int docs(SearchView view) throws IOException {
    return view.searcher().count(MatchAllDocsQuery.INSTANCE);
  }

  @Test
  void anEmptyCopyReturnsAnEmptyResult() throws IOException {
    assertThat(replica.generation()).isEqualTo(-1);
    assertThat(replica.visibleSeqNo()).isEqualTo(-1);
    assertThat(replica.get("1", true).found()).isFalse();
    try (SearchView view = replica.acquireView()) {
      assertThat(docs(view)).isZero();
    }
  }

  @Test
  void hasTheVisibleOperationsOfThePrimaryAndNoNewerOnes() throws IOException {
    primary.index("1", "{\"a\":1}");
    primary.index("2", "{\"a\":2}");
    replicate();
    primary.delete("1");
    primary.index("2", "{\"a\":3}");
    assertThat(source(replica, "1", true)).isEqualTo("{\"a\":1}");
    replicate();
    assertThat(source(replica, "1", true)).isNull();
    assertThat(source(replica, "2", true)).isEqualTo("{\"a\":3}");
    assertThat(replica.get("2", false).version()).isEqualTo(2);
    assertThat(replica.visibleSeqNo()).isEqualTo(3);
    assertThat(replica.stats().docs()).isEqualTo(1);
  }

  @Test
  void aFileThatIsNotThatOfTheManifestIsFound() throws IOException {
    primary.index("1", "{\"a\":1}");
    Manifest manifest = replicate();
    try (FileReference held = replica.holdShown()) {
      assertThat(held.manifest()).isEqualTo(manifest);
      assertThat(held.differing()).isEmpty();

      SegmentFile file = manifest.files().getFirst();
      Path path = replicaFolder.resolve(file.name());
      byte[] intact = Files.readAllBytes(path);
      byte[] damaged = intact.clone();
      damaged[damaged.length / 2] ^= 1;
      Files.write(path, damaged);
      assertThatThrownBy(held::differing).as("damage").isInstanceOf(IOException.class);

      Files.write(path, intact);
      assertThat(held.differing()).isEmpty();
      SegmentFile other = manifest.files().getLast();
      Files.write(path, Files.readAllBytes(replicaFolder.resolve(other.name())));
      assertThat(held.differing()).as("another file").containsExactly(file.name());
    }
  }

  @Test
  void filesAreByteIdenticalToThePrimarys() throws IOException {
    primary.index("1", "{\"a\":1}");
    primary.refresh();
    primary.delete("1");
    primary.index("2", "{\"text\":\"one two\"}");
    Manifest manifest = replicate();
    assertThat(segmentFiles()).isEqualTo(names(manifest));
    for (SegmentFile file : manifest.files()) {
      assertThat(
              Files.mismatch(
                  primary.directory.resolve(file.name()), replicaFolder.resolve(file.name())))
          .as(file.name())
          .isEqualTo(-1);
      assertThat(replica.hasFile(file)).isTrue();
    }
  }

  @Test
  void theFilesOfAHeldSnapshotAreKept() throws IOException {
    primary.index("1", "{}");
    Snapshot held = primary.engine.refresh(primary.checkpoint());
    for (int i = 0; i < 5; i++) {
      primary.index("x" + i, "{}");
      primary.refresh();
    }
    primary.engine.forceMerge(new ForceMergeRequest(1, false, false));
    primary.refresh();
    primary.engine.commit(primary.checkpoint());
    assertThat(held.files()).isNotEmpty().allMatch(file -> Files.exists(held.path(file)));
    held.close();
    primary.index("y", "{}");
    primary.refresh();
    assertThat(held.files()).noneMatch(file -> Files.exists(held.path(file)));
    assertThatThrownBy(held::acquire).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void obsoleteFilesAreDeletedWhenTheirLastReaderIsClosed() throws IOException {
    for (int i = 0; i < 5; i++) {
      primary.index("x" + i, "{}");
      primary.refresh();
    }
    Manifest before = replicate2();
    SearchView search = replica.acquireView();
    primary.engine.forceMerge(new ForceMergeRequest(1, false, false));
    primary.index("y", "{}");
    Manifest after = replicate();
    assertThat(segmentFiles()).containsAll(names(before)).containsAll(names(after));
    assertThat(docs(search)).isEqualTo(5);
    search.close();
    assertThat(segmentFiles()).isEqualTo(names(after));
  }

  private Manifest replicate2() throws IOException {
    primary.index("z", "{}");
    primary.delete("z");
    return replicate();
  }

  @Test
  void aRestartServesAtOnceAndFetchesNothingTwice() throws IOException {
    primary.index("1", "{\"a\":1}");
    Manifest manifest = replicate();
    replica.sync();
    replica.close();
    replica = openReplica();
    assertThat(replica.installed()).isEqualTo(manifest);
    assertThat(replica.generation()).isEqualTo(manifest.generation());
    assertThat(source(replica, "1", false)).isEqualTo("{\"a\":1}");
    assertThat(manifest.files()).allMatch(replica::hasFile);
  }

  @Test
  void aDamagedFileIsNotTrustedAfterARestart() throws IOException {
    primary.index("1", "{\"a\":1}");
    Manifest manifest = replicate();
    replica.close();
    SegmentFile damaged = manifest.files().getFirst();
    byte[] bytes = Files.readAllBytes(replicaFolder.resolve(damaged.name()));
    bytes[bytes.length / 2] ^= 1;
    Files.write(replicaFolder.resolve(damaged.name()), bytes);
    replica = openReplica();
    assertThat(replica.installed()).isNull();
    assertThat(replica.hasFile(damaged)).isFalse();
    assertThat(replica.localFiles()).hasSize(manifest.files().size() - 1);
    EngineFixture.copyFiles(primary.engine.newestSnapshot(), replicaFolder);
    replica.install(manifest);
    assertThat(source(replica, "1", false)).isEqualTo("{\"a\":1}");
  }

  @Test
  void aManifestWhoseFilesAreMissingIsRefusedAndAnOlderOneIgnored() throws IOException {
    primary.index("1", "{}");
    Manifest first = replicate();
    primary.index("2", "{}");
    try (Snapshot snapshot = primary.engine.refresh(primary.checkpoint())) {
      assertThatThrownBy(() -> replica.install(primary.manifest(snapshot)))
          .isInstanceOf(EngineException.class);
    }
    assertThat(replica.generation()).isEqualTo(first.generation());
    replica.install(first);
    assertThat(replica.generation()).isEqualTo(first.generation());
  }

  @Test
  void aNewTermsFilesNeverShareANameWithAnOldOnes() throws IOException {
    primary.index("1", "{\"a\":1}");
    Manifest before = replicate();
    primary.close();
    EngineFixture successor = new EngineFixture(folder.resolve("successor"), "{}", 2);
    successor.index("1", "{\"a\":2}");
    try (Snapshot snapshot = successor.engine.refresh(successor.checkpoint())) {
      EngineFixture.copyFiles(snapshot, replicaFolder);
      Manifest after = successor.manifest(snapshot);
      assertThat(names(after)).doesNotContainAnyElementsOf(names(before));
      replica.install(after);
    }
    assertThat(source(replica, "1", false)).isEqualTo("{\"a\":2}");
    primary = successor;
  }

  private static RemoteFiles in(Path folder) {
    return (file, position, into) -> {
      try (FileChannel channel = FileChannel.open(folder.resolve(file.name()))) {
        while (into.hasRemaining()) {
          assertThat(channel.read(into, position + into.position())).isPositive();
        }
      }
    };
  }

  private boolean open(Manifest manifest, AtomicInteger closed) {
    if (distant == null) {
      distant = in(primary.directory);
    }
    RemoteFiles files = distant;
    try (RemoteView view = replica.prepare(manifest, files, closed::incrementAndGet)) {
      return replica.open(view);
    }
  }

  @Test
  void aManifestThatIsOpenedBeforeItsFilesAreLocalIsVisibleButNotInstalled() throws IOException {
    primary.index("1", "{\"a\":1}");
    primary.index("2", "{\"a\":2}");
    AtomicInteger closed = new AtomicInteger();
    try (Snapshot first = primary.engine.refresh(primary.checkpoint())) {
      assertThat(open(primary.manifest(first), closed)).isTrue();
      assertThat(source(replica, "1", false)).isEqualTo("{\"a\":1}");
      primary.delete("1");
      primary.index("3", "{\"a\":3}");
      try (Snapshot second = primary.engine.refresh(primary.checkpoint())) {
        Manifest newer = primary.manifest(second);
        assertThat(open(newer, closed)).isTrue();
        assertThat(closed).hasValue(1);
        assertThat(open(primary.manifest(first), closed)).isFalse();
        assertThat(closed).hasValue(2);

        assertThat(source(replica, "1", false)).isNull();
        assertThat(source(replica, "3", false)).isEqualTo("{\"a\":3}");
        assertThat(replica.stats().docs()).isEqualTo(2);
        assertThat(replica.shown()).isEqualTo(newer);
        assertThat(replica.installed()).isNull();
        assertThat(segmentFiles()).isEmpty();
        replica.close();
        replica = openReplica();
        assertThat(replica.shown()).isNull();
      }
    }
  }

  @Test
  void anOlderManifestThatIsInstalledMeanwhileIsKeptAndNotShown() throws IOException {
    primary.index("1", "{\"a\":1}");
    try (Snapshot first = primary.engine.refresh(primary.checkpoint())) {
      primary.index("2", "{\"a\":2}");
      try (Snapshot second = primary.engine.refresh(primary.checkpoint())) {
        AtomicInteger closed = new AtomicInteger();
        open(primary.manifest(second), closed);
        EngineFixture.copyFiles(first, replicaFolder);
        replica.install(primary.manifest(first));

        assertThat(replica.installed()).isEqualTo(primary.manifest(first));
        assertThat(replica.opened()).isEqualTo(primary.manifest(second));
        assertThat(source(replica, "2", false)).isEqualTo("{\"a\":2}");
        assertThat(segmentFiles()).isEqualTo(names(primary.manifest(first)));

        EngineFixture.copyFiles(second, replicaFolder);
        replica.install(primary.manifest(second));
        assertThat(replica.opened()).isNull();
        assertThat(closed).hasValue(1);
        assertThat(source(replica, "2", false)).isEqualTo("{\"a\":2}");
        assertThat(segmentFiles()).isEqualTo(names(primary.manifest(second)));
      }
    }
  }

  @Test
  void aFailedRemoteReadDoesNotFailLaterReads() throws IOException {
    primary.index("1", "{\"a\":1}");
    try (Snapshot first = primary.engine.refresh(primary.checkpoint())) {
      AtomicBoolean away = new AtomicBoolean();
      RemoteFiles there = in(primary.directory);
      RemoteFiles files =
          (file, position, into) -> {
            if (away.get()) {
              throw new IOException("away");
            }
            there.read(file, position, into);
          };
      try (RemoteView view = replica.prepare(primary.manifest(first), files, () -> {})) {
        replica.open(view);
      }
      away.set(true);
      assertThatThrownBy(() -> replica.get("1", false)).isInstanceOf(EngineException.class);
      away.set(false);
      assertThat(source(replica, "1", false)).isEqualTo("{\"a\":1}");
    }
  }
}
