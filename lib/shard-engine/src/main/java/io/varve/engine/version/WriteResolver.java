package io.varve.engine.version;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a write against the newest state of its document, or rejects it. Pure.
 *
 * <pre>
 *   condition        conflict when
 *   if_seq_no        there is no document, or its seq_no or term differs
 *   op_type create   there is a document
 *   external         the newest version, of a document or of a tombstone, is not lower
 *   external_gte     ... is higher
 * </pre>
 *
 * Versions continue from a tombstone's; without one they start at 1.
 */
public final class WriteResolver {

  private WriteResolver() {}

  /**
   * Resolves or rejects a write.
   *
   * @param newest the newest state of the id, in flight or applied; must include the source for an
   *     update of an existing document
   */
  public static WriteDecision resolve(WriteItem item, @Nullable DocumentState newest) {
    DocumentState document = newest == null || newest.deleted() ? null : newest;
    if (item.kind() == WriteItem.Kind.UPDATE) {
      return update(item, newest, document);
    }
    ErrorBody conflict = conflict(item, newest, document);
    if (conflict != null) {
      return new WriteDecision.Rejected(conflict);
    }
    long version = nextVersion(item, newest);
    return item.kind() == WriteItem.Kind.DELETE
        ? new WriteDecision.Delete(version, document != null)
        : new WriteDecision.Index(version, document == null);
  }

  private static WriteDecision update(
      WriteItem item, @Nullable DocumentState newest, @Nullable DocumentState document) {
    return switch (UpdateBody.parse(item.body(), item.bodyFrom(), item.bodyLength())) {
      case UpdateBody.Refused refused -> new WriteDecision.Rejected(refused.error());
      case UpdateBody.Changes changes when document == null -> upsert(item, changes, newest);
      case UpdateBody.Changes changes -> merge(item, changes, document);
    };
  }

  private static WriteDecision upsert(
      WriteItem item, UpdateBody.Changes changes, @Nullable DocumentState newest) {
    byte[] source = changes.upsertSource();
    if (source == null) {
      return new WriteDecision.Rejected(
          ErrorBody.of(404, "document_missing_exception", "[" + item.id() + "]: document missing"));
    }
    ErrorBody conflict = conflict(item, newest, null);
    return conflict == null
        ? new WriteDecision.IndexMerged(nextVersion(item, newest), true, source)
        : new WriteDecision.Rejected(conflict);
  }

  private static WriteDecision merge(
      WriteItem item, UpdateBody.Changes changes, DocumentState document) {
    ErrorBody conflict = conflict(item, document, document);
    if (conflict != null) {
      return new WriteDecision.Rejected(conflict);
    }
    byte[] source = document.source();
    if (source == null) {
      return new WriteDecision.Rejected(
          ErrorBody.of(
              400,
              "document_source_missing_exception",
              "[" + item.id() + "]: document source missing"));
    }
    byte[] merged = changes.mergedInto(source);
    if (merged == null) {
      return new WriteDecision.Noop(
          new WriteResult.Done(
              "noop",
              document.seqNo(),
              document.term(),
              document.version(),
              item.returnSource() ? source : null));
    }
    return new WriteDecision.IndexMerged(document.version() + 1, false, merged);
  }

  private static @Nullable ErrorBody conflict(
      WriteItem item, @Nullable DocumentState newest, @Nullable DocumentState document) {
    if (item.ifSeqNo() != WriteItem.UNASSIGNED) {
      return conditionConflict(item, document);
    }
    if (item.kind() == WriteItem.Kind.CREATE && document != null) {
      return conflict(
          item.id(), "document already exists (current version [" + document.version() + "])");
    }
    if (newest == null) {
      return null;
    }
    return switch (item.versionType()) {
      case INTERNAL -> null;
      case EXTERNAL ->
          newest.version() < item.version()
              ? null
              : conflict(item.id(), higher(newest, "is higher or equal to", item));
      case EXTERNAL_GTE ->
          newest.version() <= item.version()
              ? null
              : conflict(item.id(), higher(newest, "is higher than", item));
    };
  }

  private static @Nullable ErrorBody conditionConflict(
      WriteItem item, @Nullable DocumentState document) {
    if (document != null
        && document.seqNo() == item.ifSeqNo()
        && document.term() == item.ifPrimaryTerm()) {
      return null;
    }
    String found =
        document == null
            ? "but no document was found"
            : "current document has seqNo ["
                + document.seqNo()
                + "] and primary term ["
                + document.term()
                + "]";
    return conflict(
        item.id(),
        "required seqNo ["
            + item.ifSeqNo()
            + "], primary term ["
            + item.ifPrimaryTerm()
            + "]. "
            + found);
  }

  private static String higher(DocumentState newest, String relation, WriteItem item) {
    return "current version ["
        + newest.version()
        + "] "
        + relation
        + " the one provided ["
        + item.version()
        + "]";
  }

  private static ErrorBody conflict(String id, String explanation) {
    return ErrorBody.of(
        409, "version_conflict_engine_exception", "[" + id + "]: version conflict, " + explanation);
  }

  private static long nextVersion(WriteItem item, @Nullable DocumentState newest) {
    if (item.versionType() != WriteItem.VersionType.INTERNAL) {
      return item.version();
    }
    return newest == null ? 1 : newest.version() + 1;
  }
}
