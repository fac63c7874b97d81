package io.varve.engine;

import static io.varve.engine.EngineFixture.conditional;
import static io.varve.engine.EngineFixture.done;
import static io.varve.engine.EngineFixture.error;
import static io.varve.engine.EngineFixture.item;
import static io.varve.engine.EngineFixture.source;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.GetResult;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.Kind;
import io.varve.rpc.WriteItem.VersionType;
import io.varve.rpc.WriteResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardEngineTest {

  @TempDir Path directory;
  private EngineFixture world;

  @BeforeEach
  void open() {
    world = new EngineFixture(directory);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void realtimeGetSeesOperationsBeforeARefresh() {
    world.index("1", "{\"a\":1}");
    assertThat(source(world.engine, "1", true)).isEqualTo("{\"a\":1}");
    assertThat(source(world.engine, "1", false)).isNull();
    assertThat(visibleDocs()).isZero();
    world.refresh();
    assertThat(source(world.engine, "1", true)).isEqualTo("{\"a\":1}");
    assertThat(source(world.engine, "1", false)).isEqualTo("{\"a\":1}");
    assertThat(visibleDocs()).isEqualTo(1);
    assertThat(world.engine.visibleSeqNo()).isEqualTo(0);
  }

  @Test
  void realtimeGetWaitsForOperationsInFlight() throws Exception {
    EngineFixture.Pending pending = world.append(item(Kind.INDEX, "1", "{\"a\":1}"));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> got = executor.submit(() -> source(world.engine, "1", true));
      assertThat(got.state()).isEqualTo(Future.State.RUNNING);
      world.engine.apply(0, pending.operation(), pending.append());
      assertThat(got.get(60, TimeUnit.SECONDS)).isEqualTo("{\"a\":1}");
    }
  }

  @Test
  void versionsContinueAcrossUpdatesDeletesAndRefreshes() {
    assertThat(done(world.index("1", "{}"))).isEqualTo(new WriteResult.Done("created", 0, 1, 1));
    assertThat(done(world.index("1", "{}"))).isEqualTo(new WriteResult.Done("updated", 1, 1, 2));
    world.refresh();
    assertThat(done(world.delete("1"))).isEqualTo(new WriteResult.Done("deleted", 2, 1, 3));
    world.refresh();
    assertThat(done(world.delete("1"))).isEqualTo(new WriteResult.Done("not_found", 3, 1, 4));
    assertThat(done(world.index("1", "{}"))).isEqualTo(new WriteResult.Done("created", 4, 1, 5));
    assertThat(done(world.delete("2"))).isEqualTo(new WriteResult.Done("not_found", 5, 1, 1));
    world.refresh();
    assertThat(visibleDocs()).isEqualTo(1);
  }

  @Test
  void resolvingSeesOperationsInFlight() {
    world.append(item(Kind.INDEX, "1", "{\"a\":1}"));
    EngineFixture.Pending second = world.append(item(Kind.UPDATE, "1", "{\"doc\":{\"b\":2}}"));
    assertThat(second.result()).isEqualTo(new WriteResult.Done("updated", 1, 1, 2));
    assertThat(second.operation().source()).asString().isEqualTo("{\"a\":1,\"b\":2}");
    assertThat(error(world.append(item(Kind.CREATE, "1", "{}")).result()).reason())
        .isEqualTo("[1]: version conflict, document already exists (current version [2])");
  }

  @Test
  void conflictsHaveTheErrorTextsOfOpenSearch() {
    world.index("1", "{}");
    assertThat(error(world.write(item(Kind.CREATE, "1", "{}"))))
        .satisfies(e -> assertThat(e.status()).isEqualTo(409))
        .satisfies(e -> assertThat(e.type()).isEqualTo("version_conflict_engine_exception"))
        .satisfies(e ->
            assertThat(e.reason())
                .isEqualTo("[1]: version conflict, document already exists (current version [1])"));
    assertThat(error(world.write(conditional(Kind.INDEX, "1", "{}", 7, 1))).reason())
        .isEqualTo(
            "[1]: version conflict, required seqNo [7], primary term [1]. current document has"
                + " seqNo [0] and primary term [1]");
    assertThat(error(world.write(conditional(Kind.DELETE, "2", "", 7, 1))).reason())
        .isEqualTo(
            "[2]: version conflict, required seqNo [7], primary term [1]. but no document was"
                + " found");
    assertThat(done(world.write(conditional(Kind.INDEX, "1", "{}", 0, 1))).version()).isEqualTo(2);
    assertThat(done(external("3", VersionType.EXTERNAL, 5)).version()).isEqualTo(5);
    assertThat(error(external("3", VersionType.EXTERNAL, 5)).reason())
        .isEqualTo(
            "[3]: version conflict, current version [5] is higher or equal to the one provided"
                + " [5]");
    assertThat(done(external("3", VersionType.EXTERNAL_GTE, 5)).version()).isEqualTo(5);
    assertThat(error(external("3", VersionType.EXTERNAL_GTE, 4)).reason())
        .isEqualTo(
            "[3]: version conflict, current version [5] is higher than the one provided [4]");
  }

  @Test
  void aWriteIfNeverWrittenSucceedsOnceAndFailsAfterADelete() {
    WriteItem first = item(Kind.INDEX, "1", "{}").withNewId().ifNeverWritten();
    assertThat(done(world.write(first))).isEqualTo(new WriteResult.Done("created", 0, 1, 1));
    assertThat(error(world.write(first)).status()).isEqualTo(409);
    world.delete("1");
    world.refresh();
    assertThat(error(world.write(first)).status()).isEqualTo(409);
  }

  private WriteResult external(String id, VersionType type, long version) {
    return world.write(item(Kind.INDEX, id, "{}", type, version));
  }

  @Test
  void anIdOfMoreThan512BytesIsRefused() {
    String longest = "é".repeat(256);
    assertThat(done(world.index(longest, "{}")).result()).isEqualTo("created");
    assertThat(error(world.index(longest + "x", "{}")).reason())
        .isEqualTo(
            "id [" + longest + "x] is too long, must be no longer than 512 bytes but was: 513");
  }

  @Test
  void updatesMergeDeeplyAndSeeNoops() {
    assertThat(error(world.update("1", "{\"doc\":{\"a\":1}}")).reason())
        .isEqualTo("[1]: document missing");
    assertThat(done(world.update("1", "{\"doc\":{\"a\":1},\"upsert\":{\"o\":{\"x\":1}}}")).result())
        .isEqualTo("created");
    world.refresh();
    assertThat(done(world.update("1", "{\"doc\":{\"o\":{\"y\":[2]}}}")))
        .isEqualTo(new WriteResult.Done("updated", 1, 1, 2));
    assertThat(source(world.engine, "1", true)).isEqualTo("{\"o\":{\"x\":1,\"y\":[2]}}");
    assertThat(done(world.update("1", "{\"doc\":{\"o\":{\"x\":1}}}")))
        .isEqualTo(new WriteResult.Done("noop", 1, 1, 2));
    assertThat(done(world.update("1", "{\"doc\":{\"o\":{\"x\":1}},\"detect_noop\":false}")))
        .isEqualTo(new WriteResult.Done("updated", 2, 1, 3));
    assertThat(done(world.update("2", "{\"doc\":{\"a\":1},\"doc_as_upsert\":true}")).result())
        .isEqualTo("created");
    assertThat(error(world.update("2", "{\"script\":\"x\"}")).status()).isEqualTo(400);
    assertThat(error(world.update("2", "{}")).type())
        .isEqualTo("action_request_validation_exception");
    assertThat(error(world.update("2", "{\"doc\":{},\"foo\":1}")).type())
        .isEqualTo("x_content_parse_exception");
  }

  @Test
  void anUpdateWithAMalformedResultIsRefused() {
    world.index("1", "{\"n\":1}");
    assertThat(error(world.update("1", "{\"doc\":{\"n\":\"x\"}}")).type())
        .isEqualTo("mapper_parsing_exception");
    assertThat(world.log).hasSize(1);
  }

  @Test
  void aRestartReplaysOperationsAfterTheCommit() {
    world.index("1", "{\"a\":1}");
    world.index("2", "{\"a\":2}");
    Checkpoint early = world.checkpoint();
    world.delete("1");
    world.index("2", "{\"a\":3}");
    // The commit contains more than its checkpoint says, so replay encounters applied operations.
    world.engine.commit(early, Map.of("cursor", "7"));
    world.index("3", "{\"a\":4}");
    world.restart();
    assertThat(world.engine.committed()).isEqualTo(early);
    assertThat(world.engine.committedData()).containsEntry("cursor", "7");
    assertThat(world.engine.stats().counters().writes().skipped()).isEqualTo(2);
    assertThat(world.engine.maxSeqNo()).isEqualTo(4);
    world.refresh();
    assertThat(visibleDocs()).isEqualTo(2);
    assertThat(source(world.engine, "1", true)).isNull();
    assertThat(source(world.engine, "2", true)).isEqualTo("{\"a\":3}");
    assertThat(done(world.index("1", "{}")).version()).isEqualTo(3);
  }

  @Test
  void tombstonesOutliveMergesUntilTheyAreCommitted() {
    world.index("1", "{}");
    world.index("2", "{}");
    world.delete("1");
    world.refresh();
    world.engine.forceMerge(new ForceMergeRequest(1, false, false));
    world.refresh();
    assertThat(world.engine.stats().deletedDocs()).isEqualTo(1);
    assertThat(done(world.index("1", "{}")).version()).isEqualTo(3);
    world.delete("1");
    world.refresh();
    world.engine.commit(world.checkpoint());
    world.index("3", "{}");
    world.refresh();
    world.engine.forceMerge(new ForceMergeRequest(1, false, false));
    world.refresh();
    assertThat(world.engine.stats().deletedDocs()).isZero();
    assertThat(visibleDocs()).isEqualTo(2);
  }

  @Test
  void aRefreshWithoutChangesReturnsNoSnapshot() {
    Snapshot first = world.engine.refresh(world.checkpoint());
    assertThat(first).isNotNull();
    first.close();
    assertThat(world.engine.refresh(world.checkpoint())).isNull();
    world.index("1", "{}");
    Snapshot second = world.engine.refresh(world.checkpoint());
    assertThat(second.generation()).isEqualTo(first.generation() + 1);
    second.close();
  }

  @Test
  void differentIdsAreAppliedInParallel() throws Exception {
    List<EngineFixture.Pending> pending = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      pending.add(world.append(item(Kind.INDEX, "id" + i % 500, "{\"n\":" + i + "}")));
    }
    try (ExecutorService lanes = Executors.newFixedThreadPool(4)) {
      List<Future<?>> done = new ArrayList<>();
      for (int lane = 0; lane < 4; lane++) {
        int own = lane;
        done.add(
            lanes.submit(() -> {
              for (EngineFixture.Pending p : pending) {
                if (Math.floorMod(p.operation().id().hashCode(), 4) == own) {
                  world.engine.apply(p.operation().seqNo(), p.operation(), p.append());
                }
              }
            }));
      }
      for (int i = 0; i < 10; i++) {
        world.refresh();
      }
      for (Future<?> lane : done) {
        lane.get(60, TimeUnit.SECONDS);
      }
    }
    world.refresh();
    assertThat(visibleDocs()).isEqualTo(500);
    for (int i = 0; i < 500; i++) {
      assertThat(source(world.engine, "id" + i, i % 2 == 0))
          .isEqualTo("{\"n\":" + (1500 + i) + "}");
    }
  }

  @RepeatedTest(10)
  void replayTwiceEqualsReplayOnce(RepetitionInfo repetition) {
    long seed = 9_000L + repetition.getCurrentRepetition();
    Random random = new Random(seed);
    Map<String, String> model = new HashMap<>();
    Map<String, Long> versions = new HashMap<>();
    for (int step = 0; step < 60; step++) {
      String id = "d" + random.nextInt(8);
      switch (random.nextInt(10)) {
        case 0, 1, 2, 3, 4 -> {
          String source = "{\"n\":" + step + "}";
          world.index(id, source);
          model.put(id, source);
        }
        case 5, 6 -> {
          world.delete(id);
          model.remove(id);
        }
        case 7 -> world.refresh();
        case 8 -> {
          long back = random.nextInt(world.log.size() + 1);
          long from = Math.max(world.engine.committed().nextOffset(), world.log.size() - back);
          world.engine.commit(new Checkpoint(from, from, 1, from - 1));
        }
        default -> {
          if (random.nextBoolean()) {
            world.engine.forceMerge(new ForceMergeRequest(1, false, false));
          }
          world.restart();
          int from = (int) world.engine.committed().nextOffset();
          for (int i = from; i < world.log.size(); i++) {
            assertThat(world.engine.apply(i, world.log.get(i), null)).as("seed " + seed).isFalse();
          }
        }
      }
    }
    world.log.forEach(op -> versions.put(op.id(), op.version()));
    world.refresh();
    Map<String, String> found = new TreeMap<>();
    for (int i = 0; i < 8; i++) {
      GetResult got = world.engine.get("d" + i, random.nextBoolean());
      if (got.found()) {
        found.put(got.id(), source(world.engine, got.id(), true));
        assertThat(got.version()).as("seed " + seed).isEqualTo(versions.get(got.id()));
      }
    }
    assertThat(found).as("seed " + seed).isEqualTo(model);
    assertThat(visibleDocs()).as("seed " + seed).isEqualTo(model.size());
  }

  private int visibleDocs() {
    try (SearchView view = world.engine.acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
