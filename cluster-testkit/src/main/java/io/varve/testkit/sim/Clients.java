package io.varve.testkit.sim;

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
 * Clients that write unique values through a coordinator and remember every answer. The coordinator
 * tries again only what is not in the log for certain.
 */
final class Clients {

  private static final long PATIENCE_MICROS = 1_500_000;
  private static final long RETRY_MICROS = 40_000;
  private static final long WAIT_FOR_MICROS = 1_000_000;

  private final World world;
  private final Map<String, Write> writes = new LinkedHashMap<>();
  private final Map<String, Write> lastAcked = new LinkedHashMap<>();
  private final Readers readers;
  private int number;

  Clients(World world) {
    this.world = world;
    this.readers = new Readers(world);
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
    return writes.get(text.substring(text.indexOf(":\"") + 2, text.lastIndexOf('"')));
  }

  /** Up to where clients were told that all is visible, -1 for nothing. */
  long toldSeqNo(ShardId shard) {
    return shard.equals(World.LEADER) ? readers.toldSeqNo() : -1;
  }

  long pending() {
    return writes.values().stream().filter(w -> w.answer == Write.Answer.PENDING).count();
  }

  /** Plans all writes of a history, in bursts, from that time on. */
  void plan(long fromMicros, long withinMicros) {
    for (int i = 0; i < world.shape().writes(); i++) {
      long at = fromMicros + (long) (world.random().nextDouble() * withinMicros);
      int burst = world.random().nextInt(6) == 0 ? 5 : 1;
      for (int b = 0; b < burst; b++) {
        world.queue().at(at + b * 300L, this::write);
      }
    }
  }

  private void write() {
    int mine = ++number;
    String id = "d" + world.random().nextInt(world.shape().documents());
    WriteItem.Kind kind =
        switch (world.random().nextInt(8)) {
          case 0 -> WriteItem.Kind.DELETE;
          case 1 -> WriteItem.Kind.CREATE;
          case 2 -> WriteItem.Kind.UPDATE;
          default -> WriteItem.Kind.INDEX;
        };
    String document = "{\"v\":\"v" + mine + "\"}";
    byte[] body =
        (kind == WriteItem.Kind.UPDATE ? "{\"doc\":" + document + "}" : document)
            .getBytes(StandardCharsets.UTF_8);
    Write seen = lastAcked.get(id);
    boolean conditional =
        seen != null && kind == WriteItem.Kind.INDEX && world.random().nextInt(3) == 0;
    WriteItem plain = WriteItem.of(kind, id, body, 0, body.length);
    WriteItem item = conditional ? plain.ifAt(seen.seqNo, seen.term) : plain;
    Write write = new Write(mine, World.LEADER, item, world.random().nextInt(5) == 0);
    writes.put(write.value(), write);
    List<SimCoordinator> all = world.coordinators();
    SimCoordinator coordinator = all.get(world.random().nextInt(all.size()));
    if (!coordinator.process().isUp()) {
      answer(write, Write.Answer.REFUSED);
      return;
    }
    attempt(write, coordinator, world.queue().nowMicros() + PATIENCE_MICROS);
    world
        .queue()
        .after(
            2 * PATIENCE_MICROS,
            () -> {
              if (write.answer == Write.Answer.PENDING) {
                answer(write, Write.Answer.UNKNOWN);
              }
            });
  }

  private void attempt(Write write, SimCoordinator coordinator, long deadlineMicros) {
    if (write.answer != Write.Answer.PENDING) {
      return;
    }
    ShardRouting shard = coordinator.state().shard(write.shard()).orElse(null);
    String nodeId = shard == null ? null : shard.primary().nodeId();
    if (shard == null || nodeId == null) {
      retry(write, coordinator, deadlineMicros);
      return;
    }
    SimNode rogue = world.rogue();
    SimNode node = rogue != null && world.random().nextInt(3) == 0 ? rogue : world.node(nodeId);
    Relocation successor = shard.handOver().orElse(null);
    if (successor != null && world.random().nextBoolean()) {
      send(
          write,
          coordinator,
          deadlineMicros,
          world.node(String.valueOf(successor.target().nodeId())),
          successor.handOverTerm());
      return;
    }
    send(write, coordinator, deadlineMicros, node, shard.primaryTerm());
  }

  private void send(
      Write write, SimCoordinator coordinator, long deadlineMicros, SimNode node, long term) {
    world
        .network()
        .<WriteResult>call(
            coordinator.process(),
            node.process(),
            reply ->
                node.primary(write.shard())
                    .ifPresent(primary -> primary.write(write.item(), term, reply)),
            result -> result(write, coordinator, deadlineMicros, result),
            () -> answer(write, Write.Answer.UNKNOWN));
  }

  private void result(
      Write write, SimCoordinator coordinator, long deadlineMicros, WriteResult result) {
    switch (result) {
      case WriteResult.Done done -> {
        write.seqNo = done.seqNo();
        write.term = done.primaryTerm();
        write.version = done.version();
        write.result = done.result();
        acked(write, coordinator);
      }
      case WriteResult.Failed failed -> {
        String type = failed.error().type();
        if (type.equals(WriteResult.UNKNOWN_OUTCOME)) {
          answer(write, Write.Answer.UNKNOWN);
        } else if (type.equals("stale_primary_exception")
            || type.equals("rejected_execution_exception")) {
          retry(write, coordinator, deadlineMicros);
        } else {
          answer(write, Write.Answer.REFUSED);
        }
      }
    }
  }

  private void retry(Write write, SimCoordinator coordinator, long deadlineMicros) {
    if (world.queue().nowMicros() + RETRY_MICROS > deadlineMicros) {
      answer(write, Write.Answer.REFUSED);
    } else {
      coordinator.process().after(RETRY_MICROS, () -> attempt(write, coordinator, deadlineMicros));
    }
  }

  private void acked(Write write, SimCoordinator coordinator) {
    if (write.answer != Write.Answer.PENDING) {
      return;
    }
    lastAcked.put(write.item().id(), write);
    answer(write, Write.Answer.ACKED);
    readers.acked(write, coordinator);
    if (write.waitFor()) {
      waitFor(write, coordinator);
    }
  }

  private void answer(Write write, Write.Answer answer) {
    if (write.answer == Write.Answer.PENDING) {
      write.answer = answer;
      world.observe(new Observation.Answered(write));
    }
  }

  /** Asks the primary, then every replica that is started now; answers when all have shown it. */
  private void waitFor(Write write, SimCoordinator coordinator) {
    ShardRouting shard = coordinator.state().shard(write.shard()).orElseThrow();
    List<SimCopy> asked = new ArrayList<>();
    int[] open = {0};
    shard.writeCopies().stream()
        .filter(copy -> copy.started() && copy.nodeId() != null)
        .forEach(copy -> {
          SimNode node = world.node(String.valueOf(copy.nodeId()));
          SimCopy there = node.copy(copy.copyId());
          if (there != null) {
            asked.add(there);
          }
          if (copy.primary() || !world.mutated(Mutation.WAIT_FOR_THE_PRIMARY_ALONE)) {
            open[0]++;
            ask(
                write,
                coordinator,
                node,
                copy.copyId(),
                () -> {
                  if (--open[0] == 0) {
                    world.observe(new Observation.WaitedFor(write, asked));
                    readers.told(write);
                  }
                });
          }
        });
  }

  private void ask(
      Write write, SimCoordinator coordinator, SimNode node, String copyId, Runnable shown) {
    long deadline = world.queue().nowMicros() + WAIT_FOR_MICROS;
    world
        .network()
        .<Boolean>call(
            coordinator.process(),
            node.process(),
            reply -> poll(node, copyId, write.seqNo, deadline, () -> reply.accept(true)),
            yes -> shown.run(),
            () -> {});
  }

  private void poll(SimNode node, String copyId, long seqNo, long deadlineMicros, Runnable shown) {
    SimCopy copy = node.copy(copyId);
    if (copy == null || world.queue().nowMicros() > deadlineMicros) {
      return;
    }
    if (copy.toldSeqNo() >= seqNo) {
      shown.run();
    } else {
      node.process().after(3_000, () -> poll(node, copyId, seqNo, deadlineMicros, shown));
    }
  }
}
