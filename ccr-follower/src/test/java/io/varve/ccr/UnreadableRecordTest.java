package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ccr.UnreadableRecord.Kind;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.log.TermFence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a record is whose header can't be read. Before it, term 3 is in force and the next seq_no is
 * 7. Records behind it: {@code d3/7} is operation 7 of term 3, {@code f4} the fence of term 4,
 * {@code r4/9} a revival, {@code x} a record of another producer, {@code u} another unreadable one.
 */
class UnreadableRecordTest {

  @ParameterizedTest
  @CsvSource({
    "d3/8, OPERATION",
    "d3/7, OTHER 3",
    "d4/7, OTHER 4",
    "f4 d4/8, OPERATION",
    "f4 d4/7, OTHER 3",
    "f3 d3/8, OPERATION",
    "d2/7 x d3/6 d3/9 d3/8, OPERATION",
    "f4 d3/7 d4/8, OPERATION",
    "f4 d3/8 d4/7, OTHER 3",
    "d4/8, UNKNOWN",
    "d3/9, UNKNOWN",
    "f4, UNKNOWN",
    "r4/9 d4/9, UNKNOWN",
    "u d3/8, UNKNOWN",
    "'', UNKNOWN",
  })
  void theRecordsBehindItDecide(String behind, String expected) {
    TermFence before = new TermFence(3, 7);

    Kind kind = UnreadableRecord.of(before, records(behind));

    assertThat(described(kind)).isEqualTo(expected);
    assertThat(before.term()).isEqualTo(3);
  }

  private static String described(Kind kind) {
    return switch (kind) {
      case Kind.Operation _ -> "OPERATION";
      case Kind.Other(TermFence fence) -> {
        assertThat(fence.nextSeqNo()).isEqualTo(7);
        yield "OTHER " + fence.term();
      }
      case Kind.Unknown _ -> "UNKNOWN";
    };
  }

  private static List<StoredRecord> records(String behind) {
    List<StoredRecord> records = new ArrayList<>();
    for (String each : behind.isEmpty() ? new String[0] : behind.split(" ")) {
      records.add(new StoredRecord(100 + records.size(), 0, record(each)));
    }
    return records;
  }

  private static RawRecord record(String each) {
    String[] parts = each.substring(1).split("/");
    byte[] nothing = new byte[0];
    return switch (each.charAt(0)) {
      case 'd' ->
          RecordHeader.data(Long.parseLong(parts[0]), Long.parseLong(parts[1]), nothing, nothing);
      case 'f' -> RecordHeader.fence(Long.parseLong(parts[0]), "n");
      case 'r' -> RecordHeader.revival(Long.parseLong(parts[0]), Long.parseLong(parts[1]), "n");
      case 'u' -> new RawRecord(null, null, new byte[] {(byte) 0xF1});
      default -> new RawRecord(null, null, nothing);
    };
  }
}
