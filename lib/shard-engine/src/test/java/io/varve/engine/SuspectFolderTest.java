package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Manifest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ForceMergeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.CorruptIndexException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests folders of a writer, and of a copy that received its segments, in which corruption was
 * found.
 */
class SuspectFolderTest {

  private static final String REASON = "a block of _0.fdt at 17";

  @TempDir Path shard;

  private Path committed() throws IOException {
    Path folder = shard.resolve("index");
    try (EngineFixture writer = new EngineFixture(folder)) {
      writer.index("a", "{\"n\":1}");
      writer.engine.commit(writer.checkpoint(), Map.of());
    }
    return folder;
  }

  private Path copied() throws IOException {
    Path folder = shard.resolve("index");
    try (EngineFixture writer = new EngineFixture(shard.resolve("writer"));
        SegmentEngine replica =
            SegmentEngine.open(new EngineConfig(EngineFixture.SHARD, folder, 0, Map.of()))) {
      writer.index("a", "{\"n\":1}");
      try (Snapshot snapshot = writer.engine.refresh(writer.checkpoint())) {
        EngineFixture.copyFiles(snapshot, folder);
        Manifest manifest = writer.manifest(snapshot);
        replica.install(manifest);
        assertThat(replica.installed()).isEqualTo(manifest);
      }
    }
    return folder;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private static String one(Path folder, String start, String end) throws IOException {
    return names(folder).stream()
        .filter(name -> name.startsWith(start) && name.endsWith(end))
        .findFirst()
        .orElseThrow();
  }

  private static String rot(Path folder, String start, String end) throws IOException {
    String name = one(folder, start, end);
    byte[] bytes = Files.readAllBytes(folder.resolve(name));
    bytes[bytes.length / 2] ^= 0x55;
    Files.write(folder.resolve(name), bytes);
    return name;
  }

  @Test
  void anUnmarkedFolderIsNotVerified() throws IOException {
    Path folder = committed();
    rot(folder, "_", ".cfs");

    assertThat(SuspectFolder.clear(folder, true)).isEmpty();
    assertThat(SuspectFolder.clear(shard.resolve("none"), true, REASON)).isEmpty();
  }

  @Test
  void anUnreadableFileIsNotReportedAsDamaged() throws IOException {
    Path folder = committed();
    SuspectFolder.mark(folder, REASON);
    String name = one(folder, "_", ".cfs");
    Path elsewhere = Files.move(folder.resolve(name), shard.resolve(name));
    Files.createDirectory(folder.resolve(name));

    assertThatThrownBy(() -> SuspectFolder.clear(folder, true)).isInstanceOf(IOException.class);
    assertThat(names(shard)).doesNotContain("index.damaged");
    assertThat(names(folder)).contains("suspect");

    Files.delete(folder.resolve(name));
    Files.move(elsewhere, folder.resolve(name));
    assertThat(SuspectFolder.clear(folder, true)).isEmpty();
    assertThat(names(folder)).doesNotContain("suspect").contains(name);
  }

  @Test
  void aFolderThatContradictsTheLogIsMovedAsideThoughItsFilesAreIntact() throws IOException {
    Path folder = copied();
    String reason = SuspectFolder.contradiction("it lacks a document");
    assertThat(SuspectFolder.wasVerified(folder, reason)).isFalse();
    SuspectFolder.mark(folder, reason);

    assertThat(SuspectFolder.clear(folder, false)).isNotEmpty();
    assertThat(names(shard)).contains("index.damaged").doesNotContain("index");
  }

  @Test
  void aCommitWithoutOneOfItsFilesIsDamaged() throws IOException {
    Path folder = committed();
    SuspectFolder.mark(folder, REASON);
    String name = one(folder, "_", ".cfs");
    Files.delete(folder.resolve(name));

    assertThat(SuspectFolder.clear(folder, true)).containsExactly(name);
    assertThat(names(shard)).contains("index.damaged");
  }

  @Test
  void filesThatNoCommitNamesAreNotVerified() throws IOException {
    Path folder = committed();
    SuspectFolder.mark(folder, REASON);
    Files.write(folder.resolve("_z.fdt"), new byte[40]);

    assertThat(SuspectFolder.clear(folder, true)).isEmpty();
    assertThat(names(shard)).doesNotContain("index.damaged");
    assertThat(names(folder)).doesNotContain("suspect");
  }

  @Test
  void everyFileOfACommitCountsAndTheCommitItself() throws IOException {
    for (String kind : new String[] {".cfs", ".cfe", ".si", "segments"}) {
      Path folder = committed();
      SuspectFolder.mark(folder, REASON);
      if (kind.equals("segments")) {
        rot(folder, "segments_", "");
      } else {
        rot(folder, "_", kind);
      }

      assertThat(SuspectFolder.clear(folder, true)).as(kind).hasSize(1);
      assertThat(folder).as(kind).doesNotExist();
    }
  }

  @Test
  void aTruncatedFileIsReportedAsDamaged() throws IOException {
    Path folder = committed();
    SuspectFolder.mark(folder, REASON);
    String name = one(folder, "_", ".cfs");
    Files.write(folder.resolve(name), new byte[0]);

    assertThat(SuspectFolder.clear(folder, true)).containsExactly(name);
  }

  @Test
  void foldersMovedAsideEarlierAreKept() throws IOException {
    for (String content : new String[] {"first", "second", "third"}) {
      Path folder = committed();
      Files.writeString(folder.resolve("which"), content);
      SuspectFolder.mark(folder, REASON);
      rot(folder, "_", ".cfs");
      SuspectFolder.clear(folder, true);
    }

    assertThat(shard.resolve("index.damaged/which")).hasContent("first");
    assertThat(shard.resolve("index.damaged.1/which")).hasContent("second");
    assertThat(shard.resolve("index.damaged.2/which")).hasContent("third");
  }

  @Test
  void aCopyThatReceivesSegmentsLosesOnlyItsDamagedFiles() throws IOException {
    Path folder = copied();
    SuspectFolder.mark(folder, REASON);
    Files.write(folder.resolve("_z.fdt"), new byte[40]);
    List<String> before = names(folder);
    String damaged = rot(folder, "_", ".cfs");

    assertThat(SuspectFolder.clear(folder, false)).containsExactly(damaged);
    assertThat(names(folder))
        .containsExactlyElementsOf(
            before.stream().filter(name -> !List.of(damaged, "suspect").contains(name)).toList());
  }

  @Test
  void aCommitWhoseFilesAreGoneIsNotOpenedByALaterPrimary() throws IOException {
    Path folder = committed();
    SuspectFolder.mark(folder, REASON);
    String damaged = rot(folder, "_", ".cfs");

    assertThat(SuspectFolder.clear(folder, false)).containsExactly(damaged);
    try (EngineFixture promoted = new EngineFixture(folder, "{}", 2)) {
      assertThat(promoted.engine.committed()).isEqualTo(Checkpoint.NONE);
    }
  }

  @Test
  void anUnmarkedFolderIsVerifiedForAGivenReason() throws IOException {
    Path folder = committed();
    String damaged = rot(folder, "_", ".cfs");

    assertThat(SuspectFolder.clear(folder, true, REASON)).containsExactly(damaged);
  }

  @Test
  void eachReasonIsRecordedIfAllFilesAreIntact() throws IOException {
    Path folder = committed();
    assertThat(SuspectFolder.wasVerified(folder, REASON)).isFalse();
    for (String reason : new String[] {REASON, "two\nlines", REASON}) {
      SuspectFolder.mark(folder, reason);
      assertThat(SuspectFolder.clear(folder, true)).isEmpty();
    }

    assertThat(SuspectFolder.wasVerified(folder, REASON)).isTrue();
    assertThat(SuspectFolder.wasVerified(folder, "two\nlines")).isTrue();
    assertThat(SuspectFolder.wasVerified(folder, "a block of _0.fdt at 18")).isFalse();
  }

  @Test
  void theRecordedReasonIsRemovedWhenDamagedFilesAreRemoved() throws IOException {
    Path folder = copied();
    SuspectFolder.mark(folder, REASON);
    SuspectFolder.clear(folder, false);
    assertThat(SuspectFolder.wasVerified(folder, REASON)).isTrue();

    SuspectFolder.mark(folder, REASON);
    rot(folder, "_", ".cfs");
    SuspectFolder.clear(folder, false);

    assertThat(SuspectFolder.wasVerified(folder, REASON)).isFalse();
  }

  @Test
  void corruptionIsFoundAmongTheCausesOfAFailure() {
    CorruptIndexException cause = new CorruptIndexException("a block", "_0.fdt");

    assertThat(SuspectFolder.damage(new EngineException("failed", cause)))
        .contains(cause.getMessage());
    assertThat(SuspectFolder.damage(new IOException("Too many open files"))).isEmpty();
  }

  private static void addSegments(EngineFixture writer, int segments) {
    for (int segment = 0; segment < segments; segment++) {
      writer.index("more" + segment, "{\"n\":1}");
      writer.refresh();
    }
  }

  @Test
  void aWriterContinuesWithVerifiedFilesButDoesNotMergeThem() throws IOException {
    Path folder = committed();
    SuspectFolder.mark(folder, REASON);
    assertThat(SuspectFolder.clear(folder, true)).isEmpty();

    try (EngineFixture writer = new EngineFixture(folder)) {
      addSegments(writer, 30);

      assertThat(writer.engine.segments().segments()).hasSize(31);
      for (ThrowingCallable merge : merges(writer.engine)) {
        assertThatThrownBy(merge).isInstanceOf(ApiException.class).hasMessageContaining(REASON);
      }
    }
  }

  private static List<ThrowingCallable> merges(ShardEngine engine) {
    return List.of(
        () -> engine.forceMerge(new ForceMergeRequest(1, false, false)),
        () -> engine.forceMerge(new ForceMergeRequest(ForceMergeRequest.AS_DUE, true, false)),
        () -> engine.reencode(1 << 20, () -> false));
  }
}
