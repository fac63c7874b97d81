package io.varve.rpc;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The binary body of a shard's bulk request and answer, so that documents are transferred without
 * being parsed or escaped.
 *
 * <pre>
 *   request  item*    item   = kind, flags, id, [routing], [if_seq_no, if_primary_term], [version type, version], body
 *   answer   result*  result = 0, word, seq_no, primary term, version  |  1, error as JSON
 *                              2, word, seq_no, primary term, version, source
 * </pre>
 *
 * Numbers are varlongs, strings and bodies are length-prefixed. Decoded items share the request's
 * buffer.
 */
public final class BulkWire {

  public static final String CONTENT_TYPE = "application/vnd.varve.bulk";

  private static final int AUTO_ID = 1;
  private static final int ROUTING = 2;
  private static final int CONDITION = 4;
  private static final int VERSION = 8;
  private static final int RETURN_SOURCE = 16;

  private BulkWire() {}

  public static byte[] encodeItems(List<WriteItem> items) {
    PackedWriter out = new PackedWriter(sizeBytes(items));
    for (WriteItem item : items) {
      encode(out, item);
    }
    return out.toByteArray();
  }

  /** About the number of bytes of the encoded items. */
  public static int sizeBytes(List<WriteItem> items) {
    int size = 16;
    for (WriteItem item : items) {
      size += item.bodyLength() + item.id().length() + 24;
    }
    return size;
  }

  static void encode(PackedWriter out, WriteItem item) {
    boolean conditional = item.ifSeqNo() != WriteItem.UNASSIGNED;
    boolean versioned = item.versionType() != WriteItem.VersionType.INTERNAL;
    String routing = item.routing();
    out.writeByte(item.kind().code);
    out.writeByte(
        (item.autoId() ? AUTO_ID : 0)
            | (routing == null ? 0 : ROUTING)
            | (conditional ? CONDITION : 0)
            | (versioned ? VERSION : 0)
            | (item.returnSource() ? RETURN_SOURCE : 0));
    writeString(out, item.id());
    if (routing != null) {
      writeString(out, routing);
    }
    if (conditional) {
      out.writeVarLong(item.ifSeqNo());
      out.writeVarLong(item.ifPrimaryTerm());
    }
    if (versioned) {
      out.writeByte(item.versionType().code);
      out.writeVarLong(item.version());
    }
    out.writeBytes(item.body(), item.bodyFrom(), item.bodyLength());
  }

  public static List<WriteItem> decodeItems(byte[] request) {
    PackedReader in = new PackedReader(request);
    List<WriteItem> items = new ArrayList<>();
    while (in.hasMore()) {
      items.add(decode(in, request));
    }
    return items;
  }

  private static WriteItem decode(PackedReader in, byte[] request) {
    WriteItem.Kind kind = WriteItem.Kind.of(in.readByte());
    int flags = in.readByte();
    if ((flags & ~(AUTO_ID | ROUTING | CONDITION | VERSION | RETURN_SOURCE)) != 0) {
      throw new MalformedRecordException("flags " + flags + " are not known");
    }
    String id = in.readText();
    String routing = (flags & ROUTING) == 0 ? null : in.readText();
    boolean conditional = (flags & CONDITION) != 0;
    long ifSeqNo = conditional ? in.readVarLong() : WriteItem.UNASSIGNED;
    long ifPrimaryTerm = conditional ? in.readVarLong() : 0;
    boolean versioned = (flags & VERSION) != 0;
    WriteItem.VersionType type =
        versioned ? WriteItem.VersionType.of(in.readByte()) : WriteItem.VersionType.INTERNAL;
    long version = versioned ? in.readVarLong() : WriteItem.UNASSIGNED;
    int length = in.skipLength();
    int from = in.position();
    in.skip(length);
    return new WriteItem(
        kind,
        id,
        (flags & AUTO_ID) != 0,
        routing,
        new WriteItem.Condition(ifSeqNo, ifPrimaryTerm, type, version),
        new WriteItem.Content(request, from, length),
        (flags & RETURN_SOURCE) != 0);
  }

  public static byte[] encodeResults(List<WriteResult> results) {
    PackedWriter out = new PackedWriter(16 + 24 * results.size());
    for (WriteResult result : results) {
      switch (result) {
        case WriteResult.Done done -> {
          byte[] source = done.source();
          out.writeByte(source == null ? 0 : 2);
          writeString(out, done.result());
          out.writeVarLong(done.seqNo());
          out.writeVarLong(done.primaryTerm());
          out.writeVarLong(done.version());
          if (source != null) {
            out.writeBytes(source);
          }
        }
        case WriteResult.Failed failed -> {
          out.writeByte(1);
          out.writeBytes(Json.write(failed.error()));
        }
      }
    }
    return out.toByteArray();
  }

  public static List<WriteResult> decodeResults(byte[] answer) {
    PackedReader in = new PackedReader(answer);
    List<WriteResult> results = new ArrayList<>();
    while (in.hasMore()) {
      int kind = in.readByte();
      results.add(
          switch (kind) {
            case 0 ->
                new WriteResult.Done(
                    in.readText(), in.readVarLong(), in.readVarLong(), in.readVarLong());
            case 2 ->
                new WriteResult.Done(
                    in.readText(),
                    in.readVarLong(),
                    in.readVarLong(),
                    in.readVarLong(),
                    in.readBytes());
            case 1 -> new WriteResult.Failed(Json.read(in.readBytes(), ErrorBody.class));
            default ->
                throw new MalformedRecordException("kind of result " + kind + " is not known");
          });
    }
    return results;
  }

  private static void writeString(PackedWriter out, String value) {
    out.writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }
}
