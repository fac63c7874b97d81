package io.varve.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OperationCodecTest {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Operation index(
      String id, @Nullable String routing, Operation.@Nullable Origin origin) {
    return new Operation(3, 7, 2, 1, id, routing, bytes("{\"a\":1}"), origin);
  }

  private static void staysTheSame(Operation operation) {
    Operation read = OperationCodec.decode(OperationCodec.encode(operation));
    assertThat(read).usingRecursiveComparison().isEqualTo(operation);
  }

  @Test
  void whatIsWrittenIsRead() {
    staysTheSame(index("1", null, null));
    staysTheSame(index("ü–𝄞", "a/b", null));
    staysTheSame(index("", "", new Operation.Origin(0, 1)));
    staysTheSame(index("", "", new Operation.Origin(0, 1, 0)));
    staysTheSame(index("", null, new Operation.Origin(5, 2, Long.MAX_VALUE)));
    staysTheSame(new Operation(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0, "d", "r", null, null));
  }

  @Test
  void anyOperationIsReadAsItWasWritten() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] source = new byte[random.nextInt(300)];
      random.nextBytes(source);
      staysTheSame(
          new Operation(
              random.nextLong(1, Long.MAX_VALUE),
              random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63),
              random.nextLong(1_000),
              random.nextLong(1_000),
              "id" + random.nextInt(),
              random.nextBoolean() ? "r" + random.nextInt() : null,
              random.nextBoolean() ? source : null,
              random.nextBoolean() ? new Operation.Origin(random.nextLong(1L << 40), 1) : null));
    }
  }

  @Test
  void theRecordIsAnOrdinaryChange() {
    RawRecord record = OperationCodec.encode(index("1", null, null));
    assertThat(record.key()).isEqualTo(bytes("1"));
    assertThat(record.value()).isEqualTo(bytes("{\"a\":1}"));
    assertThat(record.header()).hasSizeLessThan(8);
    assertThat(RecordHeader.read(record.header()))
        .isEqualTo(new RecordHeader(RecordHeader.Kind.DATA, 3, 7));
  }

  @Test
  void refusesWhatIsNoOperation() {
    for (RawRecord none :
        List.of(
            RecordHeader.fence(1, "n1"),
            RawRecord.keyed(bytes("k"), bytes("v")),
            new RawRecord(null, null, OperationCodec.encode(index("1", null, null)).header()))) {
      assertThatThrownBy(() -> OperationCodec.decode(none))
          .isInstanceOf(MalformedRecordException.class);
    }
  }

  @Test
  void brokenHeadersAreMalformedAndNothingElse() {
    byte[] header = OperationCodec.encode(index("1", "r", new Operation.Origin(5, 2, 9))).header();
    Malformed.feed(header, bytes -> OperationCodec.decode(new RawRecord(bytes("k"), null, bytes)));
    Malformed.feed(header, RecordHeader::read);
  }

  @Test
  void aFenceNamesItsNode() {
    RawRecord fence = RecordHeader.fence(9, "node-ü");
    assertThat(RecordHeader.read(fence.header()))
        .isEqualTo(new RecordHeader(RecordHeader.Kind.FENCE, 9, -1));
    assertThat(RecordHeader.fenceNodeId(fence.header())).isEqualTo("node-ü");
    assertThatThrownBy(() ->
            RecordHeader.fenceNodeId(RecordHeader.data(1, 0, new byte[0], new byte[0]).header()))
        .isInstanceOf(MalformedRecordException.class);
  }

  @Test
  void aHeaderOfALaterFormatIsNotGuessedAt() {
    assertThatThrownBy(() -> RecordHeader.read(new byte[] {0x21, 1, 0}))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessage("header format 2 is not known; this version reads 1");
  }
}
