package io.varve.engine;

import io.varve.engine.version.DocumentState;
import io.varve.engine.version.WriteDecision;
import io.varve.engine.version.WriteResolver;
import io.varve.rpc.WriteItem;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a write to an operation with its version, a no-op or a rejection. The caller has already
 * parsed as much of the write as is possible without the sequencer's lock. Takes into account all
 * operations appended before, applied or not.
 *
 * <p>INVARIANT: serialized by the sequencer's lock. Has no side effects: a resolution takes effect
 * only when it has its seq_no.
 */
public final class WriteDecisions {

  /** Looks up the newest state of a document, in flight or applied; {@code null} for none. */
  @FunctionalInterface
  public interface NewestStates {
    @Nullable DocumentState find(String id, boolean withSource);
  }

  private final DocumentParser parser;
  private final NewestStates states;

  public WriteDecisions(DocumentParser parser, NewestStates states) {
    this.parser = parser;
    this.states = states;
  }

  public Resolution resolve(WriteItem item, Parsed parsed) {
    return switch (parsed) {
      case Parsed.Invalid invalid -> new Resolution.Rejected(invalid.error());
      case Parsed.NeedsMapping needed ->
          new Resolution.NeedsMapping(needed.mappingVersion(), needed.properties());
      case Parsed.Document document -> decide(item, document);
      case Parsed.Later _ -> decide(item, null);
    };
  }

  private Resolution decide(WriteItem item, Parsed.@Nullable Document document) {
    boolean isUpdate = item.kind() == WriteItem.Kind.UPDATE;
    DocumentState state = item.autoId() ? null : states.find(item.id(), isUpdate);
    return switch (WriteResolver.resolve(item, state)) {
      case WriteDecision.Rejected rejected -> new Resolution.Rejected(rejected.error());
      case WriteDecision.Noop noop -> new Resolution.Noop(noop.result());
      case WriteDecision.Delete delete ->
          new Resolution.Append(
              delete.version(),
              null,
              item.routing(),
              parser.mappingVersion(),
              !delete.found(),
              delete.found() ? "deleted" : "not_found");
      case WriteDecision.Index index -> {
        if (document == null) {
          throw new IllegalArgumentException("[" + item.id() + "] was not parsed");
        }
        yield append(item, document, index.version(), index.created());
      }
      case WriteDecision.IndexMerged merged ->
          switch (parser.parse(item.id(), merged.source())) {
            case Parsed.Document made -> append(item, made, merged.version(), merged.created());
            case Parsed.NeedsMapping needed ->
                new Resolution.NeedsMapping(needed.mappingVersion(), needed.properties());
            case Parsed.Invalid invalid -> new Resolution.Rejected(invalid.error());
            case Parsed.Later _ ->
                throw new IllegalStateException("a document is parsed before it is resolved");
          };
    };
  }

  private static Resolution append(
      WriteItem item, Parsed.Document document, long version, boolean created) {
    return new Resolution.Append(
        version,
        document,
        item.routing(),
        document.mappingVersion(),
        created,
        created ? "created" : "updated");
  }
}
