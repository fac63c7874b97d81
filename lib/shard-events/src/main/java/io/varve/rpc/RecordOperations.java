package io.varve.rpc;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a re-replication job on each record. They are executed together: the record is
 * proven to be replicated first, then it is written at most once, on condition that it has not
 * changed since it was found.
 *
 * @param touch writes the record again with its next version, although its source is the same
 * @param doc a partial document, as JSON, that is merged into the source; null for none
 */
public record RecordOperations(boolean touch, @Nullable String doc) {

  /** Proves records and changes none. */
  public static final RecordOperations READ = new RecordOperations(false, null);

  public static final RecordOperations TOUCH = new RecordOperations(true, null);

  /** Whether records are written. */
  public boolean writes() {
    return touch || doc != null;
  }

  /**
   * The write of a record.
   *
   * @param source of the record; needed only to touch it
   * @throws ApiException 400 if it has none
   */
  public WriteItem item(String id, byte @Nullable [] source) {
    if (doc != null) {
      String body = "{\"detect_noop\":" + !touch + ",\"doc\":" + doc + "}";
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      return WriteItem.of(WriteItem.Kind.UPDATE, id, bytes, 0, bytes.length);
    }
    if (source == null) {
      throw new ApiException(ErrorBody.illegalArgument("[" + id + "] didn't store _source"));
    }
    return WriteItem.index(id, source);
  }
}
