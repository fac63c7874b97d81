package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.SegmentFile;
import java.util.Map;
import java.util.TreeMap;

/** An immutable file: the newest operation of each document that was flushed into it. */
record Segment(SegmentFile identity, Map<String, Operation> documents) {

  static Segment of(String name, String headerId, Map<String, Operation> documents) {
    Map<String, Operation> copy = new TreeMap<>(documents);
    long checksum = 17;
    for (Operation operation : copy.values()) {
      checksum = checksum * 31 + operation.seqNo() * 7 + operation.term();
    }
    return new Segment(
        new SegmentFile(name, 40L * copy.size(), Long.toHexString(checksum), headerId), copy);
  }

  /** The content that arrives if the connection breaks in the middle. */
  Segment truncated() {
    Map<String, Operation> half = new TreeMap<>();
    documents.forEach((id, operation) -> {
      if (half.size() < documents.size() / 2) {
        half.put(id, operation);
      }
    });
    SegmentFile whole = identity;
    return new Segment(
        new SegmentFile(whole.name(), 40L * half.size(), "truncated", whole.headerId()), half);
  }

  /** Without the origins of operations in another log; files of production have none. */
  Segment withoutOrigins() {
    Map<String, Operation> without = new TreeMap<>();
    documents.forEach((id, o) ->
        without.put(
            id,
            new Operation(
                o.term(),
                o.seqNo(),
                o.version(),
                o.mappingVersion(),
                o.id(),
                o.routing(),
                o.source(),
                null)));
    return new Segment(identity, without);
  }

  static Map<String, Operation> fold(Iterable<Segment> segments) {
    Map<String, Operation> newest = new TreeMap<>();
    for (Segment segment : segments) {
      segment.documents.forEach(
          (id, operation) -> newest.merge(id, operation, (a, b) -> a.seqNo() >= b.seqNo() ? a : b));
    }
    return newest;
  }
}
