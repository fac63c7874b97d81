package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write unique values through a coordinator and record every answer. The coordinator
 * retries only writes that certainly are not in the log.
 */
final class Clients {

  private static final long PATIENCE_MICROS = 1_500_000;
  private static final long RETRY_MICROS = 40_000;

  private final World world;
  private final Map<String, Write> writes = new LinkedHashMap<>();
  private final Map<String, Write> lastAcked = new LinkedHashMap<>();
  private final Readers readers;
  private final SimSearches searches;
  private final SimVisibility visibility;
  private final StrongReaders strongReaders;
  private int number;
  private boolean jobsWrite;
  private long lastPlannedMicros;

  Clients(World world) {
    this.world = world;
    this.readers = new Readers(world);
    this.searches = new SimSearches(world);
    this.visibility = new SimVisibility(world);
    this.strongReaders = new StrongReaders(world);
  }

  Iterable<Write> writes() {
    return writes.values();
  }

  /** The write whose value this operation carries. */
  @Nullable Write writeOf(Operation operation) {
    byte[] source = operation.source();
    if (source == null) {
      return null;
    }
    String text = new String(source, StandardCharsets.UTF_8);
    int from = text.indexOf(":\"") + 2;
    return writes.get(text.substring(from, text.indexOf('"', from)));
  }

  /** From now on, jobs write documents again, with the values of clients. */
  void jobsWrite() {
    jobsWrite = true;
  }

  /** Whether a job wrote the operation: its document had the value of a client before. */
  boolean isOfAJob(Operation operation, List<Operation> history) {
    Write write = jobsWrite ? writeOf(operation) : null;
    return write != null
        && history.stream()
            .anyMatch(earlier -> earlier.seqNo() < operation.seqNo() && write.wrote(earlier));
  }

  /** The highest seq_no that clients were told is visible everywhere; -1 for none. */
  long reportedSeqNo(ShardId shard) {
    return readers.reportedSeqNo(shard);
  }

  /** A coordinator with this state reported to a client that its write is visible everywhere. */
  void reportedVisible(Write write, ClusterState state) {
    readers.reportedVisible(write);
    searches.reportedVisible(write, state);
  }

  SimSearches searches() {
    return searches;
  }

  /** The time at which the last planned write is sent. */
  long lastPlannedMicros() {
    return lastPlannedMicros;
  }

  long pending() {
    return writes.values().stream().filter(w -> w.answer == Write.Answer.PENDING).count();
  }

  /** Plans all writes of a history from {@code fromMicros} on: single writes, bursts and bulks. */
  void plan(long fromMicros, long withinMicros) {
    for (int i = 0; i < world.shape().writes(); i++) {
      long at = fromMicros + (long) (world.random().nextDouble() * withinMicros);
      lastPlannedMicros = Math.max(lastPlannedMicros, at);
      int burst = world.random().nextInt(6) == 0 ? 5 : 1;
      if (burst > 1 && world.random().nextBoolean()) {
        world.queue().at(at, () -> write(burst));
      } else {
        for (int b = 0; b < burst; b++) {
          world.queue().at(at + b * 300L, () -> write(1));
        }
      }
    }
    if (world.shape().strong()) {
      strongReaders.plan(fromMicros, withinMicros);
    }
  }

  /** Sends one request with {@code items} writes. */
  private void write(int items) {
    List<Write> bulk = new ArrayList<>();
    for (int i = 0; i < items; i++) {
      Write write = draw();
      writes.put(write.value(), write);
      bulk.add(write);
    }
    List<SimCoordinator> all = world.coordinators();
    SimCoordinator coordinator = all.get(world.random().nextInt(all.size()));
    if (!coordinator.process().isUp()) {
      bulk.forEach(write -> answer(write, Write.Answer.REFUSED));
      return;
    }
    attempt(bulk, coordinator, world.queue().nowMicros() + PATIENCE_MICROS);
    world
        .queue()
        .after(
            2 * PATIENCE_MICROS, () -> bulk.forEach(write -> answer(write, Write.Answer.UNKNOWN)));
  }

  private Write draw() {
    int mine = ++number;
    String id = "d" + world.random().nextInt(world.shape().documents());
    WriteItem.Kind kind =
        switch (world.random().nextInt(8)) {
          case 0 -> WriteItem.Kind.DELETE;
          case 1 -> WriteItem.Kind.CREATE;
          case 2 -> WriteItem.Kind.UPDATE;
          default -> WriteItem.Kind.INDEX;
        };
    String document = "{\"v\":\"v" + mine + "\"" + furtherField(mine) + "}";
    byte[] body =
        (kind == WriteItem.Kind.UPDATE ? "{\"doc\":" + document + "}" : document)
            .getBytes(StandardCharsets.UTF_8);
    Write seen = lastAcked.get(id);
    boolean conditional =
        seen != null && kind == WriteItem.Kind.INDEX && world.random().nextInt(3) == 0;
    WriteItem plain = WriteItem.of(kind, id, body, 0, body.length);
    WriteItem item = conditional ? plain.ifAt(seen.seqNo, seen.term) : plain;
    return new Write(mine, world.leaderShard(), item, world.random().nextInt(5) == 0);
  }

  /** Fields that the mapping may lack, as JSON. */
  private String furtherField(int value) {
    int fields = world.shape().fields();
    boolean brings = fields > 0 && world.random().nextInt(4) == 0;
    return brings ? ",\"f" + world.random().nextInt(fields) + "\":" + value : "";
  }

  private void attempt(List<Write> bulk, SimCoordinator coordinator, long deadlineMicros) {
    List<Write> open = bulk.stream().filter(write -> write.answer == Write.Answer.PENDING).toList();
    if (open.isEmpty()) {
      return;
    }
    ShardRouting shard = coordinator.state().shard(open.getFirst().shard()).orElse(null);
    String nodeId = shard == null ? null : shard.primary().nodeId();
    if (shard == null || nodeId == null) {
      retry(open, coordinator, deadlineMicros);
      return;
    }
    SimNode rogue = world.faults().rogue();
    SimNode node = rogue != null && world.random().nextInt(3) == 0 ? rogue : world.node(nodeId);
    Relocation successor = shard.handOver().orElse(null);
    if (successor != null && world.random().nextBoolean()) {
      send(
          open,
          coordinator,
          deadlineMicros,
          world.node(String.valueOf(successor.target().nodeId())),
          successor.handOverTerm());
      return;
    }
    send(open, coordinator, deadlineMicros, node, shard.primaryTerm());
  }

  private void send(
      List<Write> bulk, SimCoordinator coordinator, long deadlineMicros, SimNode node, long term) {
    List<WriteItem> items = bulk.stream().map(Write::item).toList();
    world
        .network()
        .<List<WriteResult>>call(
            coordinator.process(),
            node.process(),
            reply ->
                node.primary(bulk.getFirst().shard())
                    .ifPresent(primary -> primary.writes().write(items, term, reply)),
            results -> results(bulk, coordinator, deadlineMicros, results),
            () -> bulk.forEach(write -> answer(write, Write.Answer.UNKNOWN)));
  }

  private void results(
      List<Write> bulk,
      SimCoordinator coordinator,
      long deadlineMicros,
      List<WriteResult> results) {
    List<Write> again = new ArrayList<>();
    for (int i = 0; i < bulk.size(); i++) {
      if (result(bulk.get(i), coordinator, results.get(i))) {
        again.add(bulk.get(i));
      }
    }
    if (!again.isEmpty()) {
      retry(again, coordinator, deadlineMicros);
    }
  }

  /** Returns whether the write must be retried because it certainly is not in the log. */
  private boolean result(Write write, SimCoordinator coordinator, WriteResult result) {
    switch (result) {
      case WriteResult.Done done -> {
        write.seqNo = done.seqNo();
        write.term = done.primaryTerm();
        write.version = done.version();
        write.result = done.result();
        acked(write, coordinator);
        return false;
      }
      case WriteResult.Failed failed -> {
        String type = failed.error().type();
        if (type.equals(WriteResult.STALE_PRIMARY) || type.equals("rejected_execution_exception")) {
          return true;
        }
        answer(
            write,
            type.equals(WriteResult.UNKNOWN_OUTCOME) ? Write.Answer.UNKNOWN : Write.Answer.REFUSED);
        return false;
      }
    }
  }

  private void retry(List<Write> bulk, SimCoordinator coordinator, long deadlineMicros) {
    if (world.queue().nowMicros() + RETRY_MICROS > deadlineMicros) {
      bulk.forEach(write -> answer(write, Write.Answer.REFUSED));
    } else {
      coordinator.process().after(RETRY_MICROS, () -> attempt(bulk, coordinator, deadlineMicros));
    }
  }

  private void acked(Write write, SimCoordinator coordinator) {
    if (write.answer != Write.Answer.PENDING) {
      return;
    }
    lastAcked.put(write.item().id(), write);
    answer(write, Write.Answer.ACKED);
    readers.acked(write, coordinator);
    if (world.shape().strong()) {
      strongReaders.read(write.item().id());
    }
    if (write.waitFor()) {
      visibility.after(write, coordinator);
    }
  }

  private void answer(Write write, Write.Answer answer) {
    if (write.answer == Write.Answer.PENDING) {
      write.answer = answer;
      world.observe(new Observation.Answered(write));
    }
  }
}
