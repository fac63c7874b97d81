package io.varve.engine.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests the rules of each type of write for each state of its document. */
class WriteResolverTest {

  private static final DocumentState NEVER = null;
  private static final DocumentState DOCUMENT =
      new DocumentState(7, 2, 4, false, bytes("{\"a\":1}"), null);
  private static final DocumentState TOMBSTONE = new DocumentState(8, 2, 5, true, null, null);

  private static byte[] bytes(String json) {
    return json.getBytes(StandardCharsets.UTF_8);
  }

  private static WriteItem index() {
    return WriteItem.index("d", bytes("{}"));
  }

  private static WriteItem create() {
    return WriteItem.create("d", bytes("{}"));
  }

  private static WriteItem update(String body) {
    return WriteItem.of(WriteItem.Kind.UPDATE, "d", bytes(body), 0, bytes(body).length);
  }

  private static ErrorBody refused(WriteItem item, DocumentState newest) {
    return ((WriteDecision.Rejected) WriteResolver.resolve(item, newest)).error();
  }

  private static void conflicts(WriteItem item, DocumentState newest, String explanation) {
    ErrorBody error = refused(item, newest);
    assertThat(error.status()).isEqualTo(409);
    assertThat(error.type()).isEqualTo("version_conflict_engine_exception");
    assertThat(error.reason()).isEqualTo("[d]: version conflict, " + explanation);
  }

  @Test
  void indexesWithTheNextVersion() {
    assertThat(WriteResolver.resolve(index(), NEVER)).isEqualTo(new WriteDecision.Index(1, true));
    assertThat(WriteResolver.resolve(index(), DOCUMENT))
        .isEqualTo(new WriteDecision.Index(5, false));
    assertThat(WriteResolver.resolve(index(), TOMBSTONE))
        .isEqualTo(new WriteDecision.Index(6, true));
  }

  @Test
  void aDeleteAddsATombstoneEvenIfThereIsNoDocument() {
    WriteItem delete = WriteItem.delete("d");
    assertThat(WriteResolver.resolve(delete, NEVER)).isEqualTo(new WriteDecision.Delete(1, false));
    assertThat(WriteResolver.resolve(delete, DOCUMENT))
        .isEqualTo(new WriteDecision.Delete(5, true));
    assertThat(WriteResolver.resolve(delete, TOMBSTONE))
        .isEqualTo(new WriteDecision.Delete(6, false));
  }

  @Test
  void aCreateIsRejectedIfTheDocumentExists() {
    assertThat(WriteResolver.resolve(create(), NEVER)).isEqualTo(new WriteDecision.Index(1, true));
    assertThat(WriteResolver.resolve(create(), TOMBSTONE))
        .isEqualTo(new WriteDecision.Index(6, true));
    conflicts(create(), DOCUMENT, "document already exists (current version [4])");
  }

  @Test
  void aConditionalWriteNeedsTheSeqNoThatWasRead() {
    assertThat(WriteResolver.resolve(index().ifAt(7, 2), DOCUMENT))
        .isEqualTo(new WriteDecision.Index(5, false));
    String found = "current document has seqNo [7] and primary term [2]";
    conflicts(index().ifAt(6, 2), DOCUMENT, "required seqNo [6], primary term [2]. " + found);
    conflicts(index().ifAt(7, 1), DOCUMENT, "required seqNo [7], primary term [1]. " + found);
    conflicts(
        index().ifAt(8, 2),
        TOMBSTONE,
        "required seqNo [8], primary term [2]. but no document was found");
    conflicts(
        WriteItem.delete("d").ifAt(0, 1),
        NEVER,
        "required seqNo [0], primary term [1]. but no document was found");
  }

  @Test
  void acceptsAHigherExternalVersion() {
    WriteItem.VersionType external = WriteItem.VersionType.EXTERNAL;
    assertThat(WriteResolver.resolve(index().versioned(external, 5), DOCUMENT))
        .isEqualTo(new WriteDecision.Index(5, false));
    assertThat(WriteResolver.resolve(index().versioned(external, 3), NEVER))
        .isEqualTo(new WriteDecision.Index(3, true));
    conflicts(
        index().versioned(external, 4),
        DOCUMENT,
        "current version [4] is higher or equal to the one provided [4]");
    conflicts(
        index().versioned(external, 5),
        TOMBSTONE,
        "current version [5] is higher or equal to the one provided [5]");
  }

  @Test
  void externalGteAcceptsAnEqualOrHigherVersion() {
    WriteItem.VersionType notLower = WriteItem.VersionType.EXTERNAL_GTE;
    assertThat(WriteResolver.resolve(index().versioned(notLower, 4), DOCUMENT))
        .isEqualTo(new WriteDecision.Index(4, false));
    conflicts(
        index().versioned(notLower, 3),
        DOCUMENT,
        "current version [4] is higher than the one provided [3]");
  }

  @Test
  void mergesAnUpdateIntoTheDocument() {
    WriteDecision decision = WriteResolver.resolve(update("{\"doc\":{\"b\":2}}"), DOCUMENT);

    WriteDecision.IndexMerged merged = (WriteDecision.IndexMerged) decision;
    assertThat(merged.version()).isEqualTo(5);
    assertThat(merged.created()).isFalse();
    assertThat(merged.source()).isEqualTo(bytes("{\"a\":1,\"b\":2}"));
  }

  @Test
  void appendsNothingForAnUpdateThatChangesNothing() {
    WriteItem same = update("{\"doc\":{\"a\":1}}");

    assertThat(WriteResolver.resolve(same, DOCUMENT))
        .isEqualTo(new WriteDecision.Noop(new WriteResult.Done("noop", 7, 2, 4, null)));
    WriteDecision.Noop shown =
        (WriteDecision.Noop) WriteResolver.resolve(same.returningSource(), DOCUMENT);
    assertThat(shown.result().source()).isEqualTo(DOCUMENT.source());
  }

  @Test
  void anUpdateOfAMissingDocumentNeedsAnUpsert() {
    ErrorBody missing = refused(update("{\"doc\":{\"b\":2}}"), TOMBSTONE);
    assertThat(missing.status()).isEqualTo(404);
    assertThat(missing.type()).isEqualTo("document_missing_exception");
    assertThat(missing.reason()).isEqualTo("[d]: document missing");

    WriteDecision.IndexMerged begun =
        (WriteDecision.IndexMerged)
            WriteResolver.resolve(update("{\"doc\":{\"b\":2},\"upsert\":{\"c\":3}}"), TOMBSTONE);
    assertThat(begun.version()).isEqualTo(6);
    assertThat(begun.created()).isTrue();
    assertThat(begun.source()).isEqualTo(bytes("{\"c\":3}"));
  }

  @Test
  void refusesAnUpdateUnderAConditionThatDoesNotHold() {
    conflicts(
        update("{\"doc\":{\"b\":2}}").ifAt(6, 2),
        DOCUMENT,
        "required seqNo [6], primary term [2]. current document has seqNo [7] and primary term"
            + " [2]");
    conflicts(
        update("{\"doc\":{\"b\":2},\"doc_as_upsert\":true}").ifAt(8, 2),
        TOMBSTONE,
        "required seqNo [8], primary term [2]. but no document was found");
  }

  @Test
  void refusesAnUpdateOfADocumentWithoutSource() {
    DocumentState bare = new DocumentState(7, 2, 4, false, null, null);

    ErrorBody error = refused(update("{\"doc\":{\"b\":2}}"), bare);

    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("document_source_missing_exception");
  }

  @Test
  void refusesAnEmptyUpdate() {
    assertThat(refused(update("{}"), DOCUMENT).status()).isEqualTo(400);
  }
}
