package io.varve.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.MalformedRecordException;
import io.varve.events.ShardId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeBulkWireTest {

  private static final byte[] BODY = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);

  @Test
  void theItemsOfEachPartFollowTheHeads() {
    List<NodeBulkWire.Part> parts =
        List.of(
            new NodeBulkWire.Part(
                new ShardId("books", 0), 3, 12, "node:7", List.of(WriteItem.index("1", BODY))),
            new NodeBulkWire.Part(new ShardId("books", 199), 300, 2, null, List.of()),
            new NodeBulkWire.Part(
                new ShardId("films", 1),
                1,
                400,
                null,
                List.of(WriteItem.index("2", BODY), WriteItem.delete("3"))));

    ByteBuffer request = ByteBuffer.wrap(NodeBulkWire.encodeRequest(parts));

    byte[] length = new byte[NodeBulkWire.LENGTH_BYTES];
    request.get(length);
    byte[] encodedHeads = new byte[NodeBulkWire.length(length)];
    request.get(encodedHeads);
    List<NodeBulkWire.Head> heads = NodeBulkWire.decodeHeads(encodedHeads);
    assertThat(heads).hasSize(3);
    for (int i = 0; i < parts.size(); i++) {
      NodeBulkWire.Part part = parts.get(i);
      byte[] items = new byte[heads.get(i).sizeBytes()];
      request.get(items);
      assertThat(heads.get(i))
          .isEqualTo(
              new NodeBulkWire.Head(
                  part.shard(),
                  part.term(),
                  part.metadataVersion(),
                  part.items().size(),
                  part.task(),
                  items.length));
      assertThat(items).isEqualTo(BulkWire.encodeItems(part.items()));
    }
    assertThat(request.hasRemaining()).isFalse();
  }

  @Test
  void headsThatAreNoneAreRefused() {
    assertThatThrownBy(() -> NodeBulkWire.decodeHeads(new byte[0]))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessageContaining("no parts");
    byte[] request =
        NodeBulkWire.encodeRequest(
            List.of(new NodeBulkWire.Part(new ShardId("books", 0), 3, 1, null, List.of())));
    byte[] cut = Arrays.copyOfRange(request, NodeBulkWire.LENGTH_BYTES, request.length - 1);
    assertThatThrownBy(() -> NodeBulkWire.decodeHeads(cut))
        .isInstanceOf(MalformedRecordException.class);
  }

  private static List<NodeBulkWire.Frame> read(byte[] answer, int pieceBytes) {
    NodeBulkWire.Frames frames = new NodeBulkWire.Frames();
    List<NodeBulkWire.Frame> read = new ArrayList<>();
    byte[] piece = new byte[pieceBytes + 3];
    for (int from = 0; from < answer.length; from += pieceBytes) {
      int length = Math.min(pieceBytes, answer.length - from);
      System.arraycopy(answer, from, piece, 0, length);
      frames.add(piece, length, read::add);
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000, 100_000})
  void framesAreFoundInPiecesOfAnySize(int pieceBytes) {
    byte[] large = new byte[20_000];
    Arrays.fill(large, (byte) 7);
    byte[][] bodies = {BODY, {}, large, BODY};
    ByteBuffer answer = ByteBuffer.allocate(30_000);
    for (int part = 0; part < bodies.length; part++) {
      answer.put(NodeBulkWire.encodeFrame(new NodeBulkWire.Frame(part, 200 + part, bodies[part])));
    }

    List<NodeBulkWire.Frame> read =
        read(Arrays.copyOf(answer.array(), answer.position()), pieceBytes);

    assertThat(read).extracting(NodeBulkWire.Frame::part).containsExactly(0, 1, 2, 3);
    assertThat(read).extracting(NodeBulkWire.Frame::status).containsExactly(200, 201, 202, 203);
    assertThat(read).extracting(NodeBulkWire.Frame::body).containsExactly(bodies);
  }

  @Test
  void aFrameThatIsNotCompleteIsNotPassedOn() {
    byte[] frame = NodeBulkWire.encodeFrame(new NodeBulkWire.Frame(0, 200, BODY));

    assertThat(read(Arrays.copyOf(frame, frame.length - 1), 5)).isEmpty();
  }

  @Test
  void whatIsNoFrameIsMalformed() {
    byte[] negative = ByteBuffer.allocate(4).putInt(-1).array();
    assertThatThrownBy(() -> read(negative, 4)).isInstanceOf(MalformedRecordException.class);
    byte[] empty = ByteBuffer.allocate(4).putInt(0).array();
    assertThatThrownBy(() -> read(empty, 4)).isInstanceOf(MalformedRecordException.class);
  }
}
