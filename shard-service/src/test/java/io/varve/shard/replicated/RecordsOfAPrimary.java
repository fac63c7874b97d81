package io.varve.shard.replicated;

import io.varve.engine.version.DocumentState;
import io.varve.rpc.HoldsWire.Answer;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import io.varve.shard.replicated.ReplicatedRecords.Step;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** What the primary of term 5 knows, whose own operations begin at seq_no 100. */
final class RecordsOfAPrimary {

  static final long TERM = 5;
  static final Member ONE = new Member("one", "run1");
  static final Member TWO = new Member("two", "run1");
  static final RecordLimits LIMITS = new RecordLimits(2, true, 3, 4, 1_000);
  static final RecordLimits BY_ID = new RecordLimits(2, false, 3, 4, 1_000);

  private RecordsOfAPrimary() {}

  static ReplicatedRecords records(RecordLimits limits, Member... members) {
    ReplicatedRecords records = new ReplicatedRecords(TERM, 100, limits);
    records.members(new Members(true, Set.of(members), Set.of(members)));
    records.applied(149);
    return records;
  }

  /** The present opening of a copy; one that nobody has asked if it is no member. */
  static Opening opening(ReplicatedRecords records, Member member) {
    return records.openings().stream()
        .filter(opening -> opening.member().equals(member))
        .findFirst()
        .orElseGet(() -> new Opening(member, -1));
  }

  static Answer upTo(Member member, long seqNo) {
    return new Answer(member.copyId(), member.incarnation(), TERM, seqNo, List.of());
  }

  static Answer says(Member member, Verdict verdict) {
    return new Answer(member.copyId(), member.incarnation(), TERM, -1, List.of(verdict));
  }

  static Version at(long seqNo) {
    return Version.of("d" + seqNo, seqNo, 4);
  }

  /** Which seq_nos are in state 2 or 3, if no document has a later version. */
  static LongPredicate unreplicated(ReplicatedRecords records) {
    return unreplicated(records, Map.of());
  }

  /**
   * @param later seq_nos of documents that have a later version than {@link #at}
   */
  static LongPredicate unreplicated(ReplicatedRecords records, Map<String, Long> later) {
    return new UnreplicatedDocuments(
            records,
            id -> {
              long seqNo = later.getOrDefault(id, Long.parseLong(id.substring(1)));
              return new DocumentState(seqNo, 4, 1, false, null, null);
            })
        .now();
  }

  static Confirmation ask(ReplicatedRecords records, Version version) {
    return ((Step.Asking) records.confirm(version, 0)).confirmation();
  }
}
