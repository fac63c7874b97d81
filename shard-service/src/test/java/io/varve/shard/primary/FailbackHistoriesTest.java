package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Failback;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.EngineConfig;
import io.varve.engine.ShardEngine;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.host.IndexMapping;
import io.varve.host.NodeContext;
import io.varve.host.apply.ApplyLanes;
import io.varve.log.Appends;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.GetResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Histories of failbacks: a former leader's log with several terms, records of zombies and a fork
 * at a random operation, and a primary of its successor that is killed at each step of its
 * beginning and continues, in the same folder or on another node, while zombies of the former index
 * still append. Afterwards the folder has exactly the operations up to the fork, and the quarantine
 * has each later operation once. Some former logs are truncated, with and without a commit that was
 * pinned for the follower.
 */
@Timeout(600)
class FailbackHistoriesTest extends PrimaryCopyWorld {

  private static final int HISTORIES = 300;
  private static final int KILLS_OF_A_HISTORY = 3;
  private static final int STEPS = 120;
  private static final int DOCUMENTS = 6;
  private static final long TERM_AFTER_THE_FORK = 50;

  /** An operation that the rule of the fence accepts, found without the classes under test. */
  private record Accepted(long offset, StoredRecord stored, Operation operation) {}

  private final class History {
    final long seed;
    final Random random;
    final String former;
    final PartitionLog log;
    final PartitionLog quarantine;
    List<Accepted> truncated = List.of();
    long term = 1;
    int kills;

    History(long seed) throws Exception {
      this.seed = seed;
      this.random = new Random(seed * 0x9E3779B97F4A7C15L);
      this.former = "former-" + seed;
      NodeContext node = world.node("n1");
      this.log = node.log().open(node.topics().operations(former), 0);
      this.quarantine = node.log().open(node.topics().quarantine(former), 0);
      append(RecordHeader.fence(term, "n1"));
      append(operation(term, 0));
      write(4 + random.nextInt(20));
    }

    private void append(RawRecord record) throws Exception {
      var _ = Appends.await(log, record);
    }

    /** Operations of the leader, among records that readers reject. */
    private void write(int operations) throws Exception {
      for (int i = 0; i < operations; i++) {
        long next = accepted().size();
        switch (random.nextInt(10)) {
          case 0 -> append(RecordHeader.fence(++term, "n2"));
          case 1 -> append(operation(Math.max(1, term - 1), next));
          case 2 -> append(operation(term, next + 1));
          case 3 -> append(operation(term, Math.max(0, next - 1)));
          default -> append(operation(term, next));
        }
      }
      append(operation(term, accepted().size()));
    }

    private RawRecord operation(long ofTerm, long seqNo) {
      byte[] source =
          random.nextInt(5) == 0
              ? null
              : "{\"title\":\"%d\"}".formatted(random.nextInt()).getBytes(StandardCharsets.UTF_8);
      return OperationCodec.encode(
          new Operation(
              ofTerm, seqNo, seqNo + 1, 1, "d" + random.nextInt(DOCUMENTS), null, source, null));
    }

    List<Accepted> accepted() throws Exception {
      List<Accepted> accepted = new ArrayList<>(truncated);
      long[] newestTerm = {truncated.isEmpty() ? 0 : truncated.getLast().operation().term()};
      log.read(
          log.startOffset(),
          log.endOffset(),
          stored -> {
            RecordHeader header = RecordHeader.read(stored.record().header());
            if (header.kind() == RecordHeader.Kind.FENCE) {
              newestTerm[0] = Math.max(newestTerm[0], header.term());
            } else if (header.term() == newestTerm[0] && header.seqNo() == accepted.size()) {
              accepted.add(
                  new Accepted(stored.offset(), stored, OperationCodec.decode(stored.record())));
            }
          });
      return accepted;
    }

    /** Truncates the log behind an operation. */
    void truncateBehind(Accepted last) throws Exception {
      truncated = List.copyOf(accepted().subList(0, (int) last.operation().seqNo() + 1));
      log.truncateBefore(last.offset() + 1);
    }

    CopyContext successor(String name, MessageLog through) throws Exception {
      NodeContext node = world.node(name);
      Path folder =
          Files.createDirectories(
              node.settings().data().resolve("shards").resolve("successor-" + seed).resolve("0"));
      return new CopyContext(
          new NodeContext(
              node.identity(),
              node.settings(),
              through,
              node.topics(),
              node.cluster(),
              node.leader(),
              node.http(),
              node.clock(),
              node.timer(),
              node.blocking(),
              node.applying()),
          new ShardId("successor-" + seed, 0),
          "copy-on-" + name,
          folder,
          world.copy(name).host());
    }

    /** Runs until the folder is filled; returns it, or nothing if the former log can't fill it. */
    Optional<Path> fillThoughKilled(Failback failback) throws Exception {
      for (int attempt = 0; ; attempt++) {
        boolean survives = attempt == KILLS_OF_A_HISTORY;
        int steps = attempt == 0 ? (int) seed % STEPS : random.nextInt(STEPS);
        MessageLog through = world.node("n1").log();
        CopyContext context =
            successor(
                random.nextInt(3) == 0 ? "n2" : "n1",
                survives ? through : new KilledLog(through, steps));
        Path index = context.folder().resolve("index");
        if (!ClosedSegments.checkpoint(index).equals(Checkpoint.NONE)) {
          return Optional.of(index);
        }
        try {
          return new FailbackBeginning(context, index, TERM_AFTER_THE_FORK, failback).fill()
              ? Optional.of(index)
              : Optional.empty();
        } catch (KilledLog.KilledException e) {
          kills++;
        }
        // A zombie of the former index: accepted until a fence of the successor lands.
        append(operation(term, accepted().size()));
      }
    }
  }

  private static IndexMetadata index(String name, String uuid, long term) {
    CopyRouting copy = CopyRouting.unassigned("p-" + uuid, true, "new");
    return new IndexMetadata(
        name,
        uuid,
        0,
        Map.of("index.refresh_interval", "-1"),
        1,
        MAPPING,
        1,
        null,
        List.of(new ShardRouting(new ShardId(uuid, 0), term, List.of(copy))));
  }

  private static ForkPlace fork(Accepted last) {
    return new ForkPlace(
        last.offset(),
        last.operation().term(),
        last.operation().seqNo(),
        RecordDigest.of(last.stored()),
        7,
        TERM_AFTER_THE_FORK);
  }

  /** A commit that the former primary pinned on both nodes, with the operations up to that one. */
  private void pin(History history, CopyContext context, Accepted last) throws Exception {
    Path shards = Objects.requireNonNull(context.folder().getParent()).resolveSibling("built");
    Path built = shards.resolve(history.former);
    ApplyLanes lanes = new ApplyLanes(2, context.node().applying().threads());
    EngineConfig config = new EngineConfig(context.shard(), built, 1, context.index().settings());
    try (ShardEngine engine = ShardEngine.open(config, new IndexMapping(context))) {
      ReplayToFence replay =
          new ReplayToFence(
              context,
              history.log,
              engine,
              lanes,
              Checkpoint.NONE,
              operation -> operation.under(1, context.index().mappingVersion()));
      long nextSeqNo = replay.result(replay.replayTo(last.offset())).fence().nextSeqNo();
      engine.commit(
          new Checkpoint(last.offset() + 1, nextSeqNo, last.operation().term(), nextSeqNo - 1),
          Map.of());
    }
    for (String node : List.of("n1", "n2")) {
      Path own = world.node(node).settings().data().resolve("shards").resolve(history.former);
      Path pinned = own.resolve("0").resolve("pinned");
      Files.createDirectories(pinned);
      var _ =
          ClosedSegments.linkLastCommit(
              built, pinned.resolve((last.offset() + 1) + "-" + last.operation().seqNo()));
    }
  }

  private Map<String, String> content(CopyContext context, Path index) throws Exception {
    Map<String, String> content = new TreeMap<>();
    EngineConfig config = new EngineConfig(context.shard(), index, 99, context.index().settings());
    try (ShardEngine engine = ShardEngine.open(config, new IndexMapping(context))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        GetResult found = engine.get("d" + i, true);
        if (found.found()) {
          content.put("d" + i, described(found.seqNo(), found.version(), found.source()));
        }
      }
    }
    return content;
  }

  private static String described(long seqNo, long version, byte[] source) {
    return seqNo + " " + version + " " + new String(source, StandardCharsets.UTF_8);
  }

  private static Map<String, String> content(List<Accepted> operations) {
    Map<String, String> content = new TreeMap<>();
    for (Accepted accepted : operations) {
      Operation operation = accepted.operation();
      byte[] source = operation.source();
      if (source == null) {
        content.remove(operation.id());
      } else {
        content.put(operation.id(), described(operation.seqNo(), operation.version(), source));
      }
    }
    return content;
  }

  private static List<String> records(List<StoredRecord> records) {
    return records.stream()
        .map(stored ->
            Arrays.toString(stored.record().header())
                + Arrays.toString(stored.record().key())
                + Arrays.toString(stored.record().value()))
        .sorted()
        .toList();
  }

  /** Returns the number of kills. */
  private int run(long seed) throws Exception {
    History history = new History(seed);
    List<Accepted> before = history.accepted();
    Accepted last = before.get(history.random.nextInt(before.size()));
    ForkPlace fork = fork(last);
    world.happened(
        new ClusterEvent.IndexCreated(index("books-" + seed, history.former, history.term)));
    world.happened(new ClusterEvent.IndexClosed(history.former));
    world.happened(new ClusterEvent.IndexCreated(index("new-" + seed, "successor-" + seed, 1)));
    CopyContext context = history.successor("n1", world.node("n1").log());
    boolean isTruncated = seed % 3 == 0 && fork.seqNo() > 1;
    boolean isPinned = isTruncated && seed % 2 == 0;
    if (isTruncated) {
      Accepted removed = before.get(history.random.nextInt((int) fork.seqNo()));
      if (isPinned) {
        pin(history, context, removed);
      }
      history.truncateBehind(removed);
    }

    Optional<Path> filled = history.fillThoughKilled(new Failback(history.former, Map.of(0, fork)));

    List<Accepted> after = history.accepted();
    assertThat(filled.isPresent()).as("seed %d", seed).isEqualTo(!isTruncated || isPinned);
    if (filled.isPresent()) {
      assertThat(ClosedSegments.checkpoint(filled.get()).nextSeqNo()).isEqualTo(fork.seqNo() + 1);
      assertThat(content(context, filled.get()))
          .as("seed %d", seed)
          .isEqualTo(content(after.subList(0, (int) fork.seqNo() + 1)));
    }
    List<StoredRecord> quarantined = new ArrayList<>();
    history.quarantine.read(0, history.quarantine.endOffset(), quarantined::add);
    assertThat(records(quarantined))
        .as("seed %d: each operation after seq_no %d once", seed, fork.seqNo())
        .isEqualTo(
            records(
                after.stream()
                    .filter(accepted -> accepted.operation().seqNo() > fork.seqNo())
                    .map(Accepted::stored)
                    .toList()));
    return history.kills;
  }

  @Test
  void aSuccessorThatIsKilledAtEachStepLosesAndDoublesNothing() throws Exception {
    int kills = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      kills += run(seed);
    }
    assertThat(kills).as("kills").isGreaterThan(HISTORIES);
  }
}
