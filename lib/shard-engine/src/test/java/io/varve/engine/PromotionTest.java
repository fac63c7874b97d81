package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Manifest;
import io.varve.events.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the handover of a folder between a copy that receives its segments and one that writes
 * them.
 */
class PromotionTest {

  @TempDir Path folder;
  private EngineFixture first;
  private Path replicaFolder;

  @BeforeEach
  void open() {
    first = new EngineFixture(folder.resolve("first"));
    replicaFolder = folder.resolve("replica");
  }

  @AfterEach
  void close() {
    first.close();
  }

  private SegmentEngine replica(Path directory) {
    return SegmentEngine.open(new EngineConfig(EngineFixture.SHARD, directory, 0, Map.of()));
  }

  private static Manifest replicate(EngineFixture from, SegmentEngine to, Path directory)
      throws IOException {
    try (Snapshot snapshot = from.engine.refresh(from.checkpoint())) {
      EngineFixture.copyFiles(snapshot, directory);
      Manifest manifest = from.manifest(snapshot);
      to.install(manifest);
      return manifest;
    }
  }

  /** Opens the replica's folder as primary of a term and replays the log after its commit. */
  private EngineFixture promote(EngineFixture from, long term) {
    EngineFixture promoted = new EngineFixture(replicaFolder, from.mappingJson(), term);
    promoted.log.addAll(from.log);
    List<Operation> behind =
        from.log.subList((int) promoted.engine.committed().nextOffset(), from.log.size());
    for (Operation operation : behind) {
      promoted.engine.apply(operation.seqNo(), operation, null);
    }
    promoted.refresh();
    return promoted;
  }

  private static Map<String, Boolean> found(SearchableCopy copy, String... ids) {
    return Stream.of(ids)
        .collect(java.util.stream.Collectors.toMap(id -> id, id -> copy.get(id, false).found()));
  }

  @Test
  void aPromotedEngineReplaysFromTheEndOfTheManifest() throws IOException {
    first.index("a", "{\"n\":1}");
    first.index("b", "{\"n\":1}");
    SegmentEngine replica = replica(replicaFolder);
    Manifest shown = replicate(first, replica, replicaFolder);
    replica.close();
    first.delete("a");
    first.index("c", "{\"n\":2}");

    try (EngineFixture promoted = promote(first, 2)) {
      assertThat(promoted.engine.committed())
          .isEqualTo(
              new Checkpoint(
                  shown.nextOffset(), shown.nextSeqNo(), shown.fenceTerm(), shown.visibleSeqNo()));
      assertThat(found(promoted.engine, "a", "b", "c"))
          .isEqualTo(Map.of("a", false, "b", true, "c", true));
      assertThat(replicaFolder.resolve("manifest.json")).doesNotExist();
    }
  }

  @Test
  void theFormerPrimaryFollowsTheNewOneInItsOwnFolderAndCanBePromotedAgain() throws IOException {
    first.index("a", "{\"n\":1}");
    SegmentEngine replica = replica(replicaFolder);
    replicate(first, replica, replicaFolder);
    replica.close();
    first.index("lost?", "{\"n\":1}");
    first.engine.commit(first.checkpoint(), Map.of());
    first.engine.close();

    try (EngineFixture second = promote(first, 2);
        SegmentEngine former = replica(first.directory)) {
      second.index("b", "{\"n\":2}");
      replicate(second, former, first.directory);
      assertThat(found(former, "a", "b", "lost?"))
          .isEqualTo(Map.of("a", true, "b", true, "lost?", true));
      assertThat(commits(first.directory)).isEmpty();
      first.log.clear();
      first.log.addAll(second.log);
    }
    replicaFolder = first.directory;
    try (EngineFixture third = promote(first, 3)) {
      assertThat(found(third.engine, "a", "b", "lost?"))
          .isEqualTo(Map.of("a", true, "b", true, "lost?", true));
    }
  }

  @Test
  void anInterruptedHandoverIsRepeated() throws IOException {
    first.index("a", "{\"n\":1}");
    SegmentEngine replica = replica(replicaFolder);
    replicate(first, replica, replicaFolder);
    replica.close();
    Path kept = replicaFolder.resolve("manifest.json");
    byte[] manifest = Files.readAllBytes(kept);
    promote(first, 2).close();
    Files.write(kept, manifest);

    try (EngineFixture promoted = promote(first, 3)) {
      assertThat(found(promoted.engine, "a")).isEqualTo(Map.of("a", true));
    }
  }

  @Test
  void withoutTheFilesOfItsManifestACopyReplaysTheWholeLog() throws IOException {
    first.index("a", "{\"n\":1}");
    SegmentEngine replica = replica(replicaFolder);
    replicate(first, replica, replicaFolder);
    replica.close();
    try (Stream<Path> files = Files.list(replicaFolder)) {
      Files.delete(
          files
              .filter(file -> file.getFileName().toString().startsWith("_"))
              .min(Comparator.naturalOrder())
              .orElseThrow());
    }

    try (EngineFixture promoted = promote(first, 2)) {
      assertThat(promoted.engine.committed()).isEqualTo(Checkpoint.NONE);
      assertThat(found(promoted.engine, "a")).isEqualTo(Map.of("a", true));
    }
  }

  private static List<String> commits(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.contains("segments_"))
          .toList();
    }
  }
}
