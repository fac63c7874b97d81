package io.varve.rpc;

import io.varve.events.PackedReader;
import io.varve.events.PackedWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Wire format for reading several documents of one shard: the requested documents, and the results
 * in the same order, each as {@link GetResultWire}.
 *
 * <p>A caller that can read errors of single documents requests them with {@link #ITEM_ERRORS}. For
 * any other caller, a failed document fails the whole answer.
 */
public final class DocumentsWire {

  public static final String CONTENT_TYPE = "application/vnd.varve.documents";

  /** The parameter of a request whose caller reads errors of single documents. */
  public static final String ITEM_ERRORS = "item_errors";

  /** A copy's answer for one document. */
  public sealed interface Result {

    /** The document, or its absence. */
    record Read(GetResult result) implements Result {}

    /** The document can't be read now. */
    record Failed(ErrorBody error) implements Result {}
  }

  private DocumentsWire() {}

  /**
   * A requested document.
   *
   * @param storedFields fields to read besides the source
   */
  public record Wanted(String id, Set<String> storedFields) {}

  public static byte[] encodeWanted(List<Wanted> documents) {
    PackedWriter out = new PackedWriter(16 + documents.size() * 24);
    for (Wanted wanted : documents) {
      write(out, wanted.id());
      out.writeVarLong(wanted.storedFields().size());
      wanted.storedFields().forEach(name -> write(out, name));
    }
    return out.toByteArray();
  }

  public static List<Wanted> decodeWanted(byte[] body) {
    PackedReader in = new PackedReader(body);
    List<Wanted> documents = new ArrayList<>();
    while (in.hasMore()) {
      String id = read(in);
      Set<String> storedFields = new LinkedHashSet<>();
      for (long left = in.readVarLong(); left > 0; left--) {
        storedFields.add(read(in));
      }
      documents.add(new Wanted(id, storedFields));
    }
    return documents;
  }

  public static byte[] encodeResults(List<Result> results) {
    PackedWriter out = new PackedWriter(1024);
    for (Result result : results) {
      out.writeBytes(
          switch (result) {
            case Result.Read(var read) -> GetResultWire.encode(read);
            case Result.Failed(var error) -> GetResultWire.encode(error);
          });
    }
    return out.toByteArray();
  }

  public static List<Result> decodeResults(byte[] body) {
    PackedReader in = new PackedReader(body);
    List<Result> results = new ArrayList<>();
    while (in.hasMore()) {
      results.add(GetResultWire.decodeResult(in.readBytes()));
    }
    return results;
  }

  private static void write(PackedWriter out, String text) {
    out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String read(PackedReader in) {
    return new String(in.readBytes(), StandardCharsets.UTF_8);
  }
}
