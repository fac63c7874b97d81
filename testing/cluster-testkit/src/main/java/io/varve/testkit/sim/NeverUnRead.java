package io.varve.testkit.sim;

import io.varve.events.ShardId;
import io.varve.rpc.HoldsWire.Kind;
import io.varve.rpc.HoldsWire.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A version that a strong get returned, or that was acked to a writer, is never missing or older in
 * a strong get that begins later. A revival may lose versions that were only acked.
 */
final class NeverUnRead implements Invariant {

  private record Document(ShardId shard, String id) {}

  /** A version that a client has known since that time: it was read, or only acked. */
  private record Known(long sinceMicros, long seqNo, boolean read) {}

  private final Map<Document, List<Known>> known = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.StrongRead(var shard, long begunMicros, var version) -> {
        Document document = new Document(shard, version.id());
        require(document, begunMicros, version);
        if (version.kind() != Kind.ABSENT) {
          know(document, new Known(world.queue().nowMicros(), version.seqNo(), true));
        }
      }
      case Observation.Answered(var write) -> {
        if (write.answer == Write.Answer.ACKED) {
          know(
              new Document(write.shard(), write.item().id()),
              new Known(world.queue().nowMicros(), write.seqNo, false));
        }
      }
      case Observation.Revived(var shard, long nextSeqNo) ->
          known.forEach((document, versions) -> {
            if (document.shard().equals(shard)) {
              versions.removeIf(version -> !version.read() && version.seqNo() >= nextSeqNo);
            }
          });
      default -> {}
    }
  }

  private void know(Document document, Known version) {
    known.computeIfAbsent(document, _ -> new ArrayList<>()).add(version);
  }

  private void require(Document document, long begunMicros, Version version) {
    for (Known before : known.getOrDefault(document, List.of())) {
      require(
          before.sinceMicros() >= begunMicros
              || (version.kind() != Kind.ABSENT && version.seqNo() >= before.seqNo()),
          "%s was known at %d us, but a get that began at %d us returned %s",
          before,
          before.sinceMicros(),
          begunMicros,
          version);
    }
  }
}
