package io.varve.standalone.load;

import io.varve.events.Json;
import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The lines of an input as documents. Blank lines are skipped. Bytes that are not UTF-8 are an
 * error: replacing them would change the documents silently.
 */
public final class LineDocuments implements Documents {

  private static final Set<String> ACTIONS = Set.of("index", "create", "update", "delete");

  private final Counted in;

  public LineDocuments(InputStream in) {
    this.in = new Counted(in);
  }

  /** Counts the bytes that were read. */
  private static final class Counted extends FilterInputStream {

    private volatile long position;

    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      add(read < 0 ? 0 : 1);
      return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, length);
      add(Math.max(0, read));
      return read;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread reads.
    private void add(int bytes) {
      position += bytes;
    }
  }

  /** The number of bytes read so far. */
  long position() {
    return in.position;
  }

  /**
   * @throws IOException if the input cannot be read, or is the body of a bulk request, whose
   *     actions would be indexed as documents
   */
  @Override
  public void forEach(Sink sink) throws IOException, InterruptedException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    boolean more = true;
    boolean first = true;
    String line;
    for (long number = 1; more && (line = lines.readLine()) != null; number++) {
      String document = line.strip();
      if (!document.isEmpty()) {
        if (first && isAction(document)) {
          throw new IOException(
              "line "
                  + number
                  + " is an action of a bulk request, not a document: send the file to _bulk, or"
                  + " omit the actions");
        }
        first = false;
        more = sink.accept(document, number);
      }
    }
  }

  private static boolean isAction(String line) {
    try {
      JsonNode node = Json.mapper().readTree(line);
      return node.isObject()
          && node.size() == 1
          && node.properties().stream()
              .allMatch(one -> ACTIONS.contains(one.getKey()) && one.getValue().isObject());
    } catch (JacksonException e) {
      // Varve refuses it and reports the reason.
      return false;
    }
  }
}
