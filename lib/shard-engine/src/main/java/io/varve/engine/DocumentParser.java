package io.varve.engine;

import io.varve.engine.document.DocumentBlock;
import io.varve.engine.document.DocumentReader;
import io.varve.engine.document.KeptSource;
import io.varve.engine.document.MappingPlan;
import io.varve.engine.document.PlainReader;
import io.varve.engine.document.Utf8;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingAdditions;
import io.varve.search.mapping.MappingRules;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/** Parses documents under the newest mapping. Thread-safe. */
public final class DocumentParser {

  private static final JsonFactory JSON = JsonFactory.builder().build();

  private final MappingSource mappings;
  private final MappingRules rules;
  private final boolean readsPlain;
  private volatile MappingPlan plan;

  /**
   * @param settings of the index, under their full names
   */
  public DocumentParser(MappingSource mappings, Map<String, String> settings) {
    this(mappings, settings, true);
  }

  /**
   * @param readsPlain whether {@link PlainReader} reads the documents that it can read
   */
  DocumentParser(MappingSource mappings, Map<String, String> settings, boolean readsPlain) {
    this.readsPlain = readsPlain;
    this.mappings = mappings;
    this.rules = MappingRules.of(settings);
    MappingSource.Versioned current = mappings.current();
    plan = MappingPlan.of(current.version(), current.json(), rules);
  }

  public long mappingVersion() {
    return plan().version();
  }

  public Mapping mapping() {
    return plan().mapping();
  }

  private MappingPlan plan() {
    MappingPlan known = plan;
    MappingSource.Versioned current = mappings.current();
    if (known.version() != current.version()) {
      known = MappingPlan.of(current.version(), current.json(), rules);
      plan = known;
    }
    return known;
  }

  /** Parses {@code source} in one pass; a document that is not plain is read from its beginning. */
  public Parsed parse(String id, byte[] source) {
    MappingPlan current = plan();
    DocumentBlock plain = readsPlain ? PlainReader.read(id, source, current) : null;
    return plain == null ? parseAny(id, source, current) : document(id, source, current, plain);
  }

  private static Parsed parseAny(String id, byte[] source, MappingPlan current) {
    int invalid = Utf8.firstInvalid(source);
    if (invalid >= 0) {
      return new Parsed.Invalid(notUtf8(invalid));
    }
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), source)) {
      json.nextToken();
      DocumentReader reader = new DocumentReader(json, id, current);
      reader.read();
      MappingAdditions additions = reader.additions();
      return additions == null
          ? document(id, source, current, reader.block())
          : new Parsed.NeedsMapping(current.version(), additions.toJson());
    } catch (ApiException e) {
      return new Parsed.Invalid(e.error());
    } catch (JacksonException e) {
      return new Parsed.Invalid(malformed(e));
    }
  }

  /** Parses the document of an accepted operation, which every copy must be able to index. */
  Parsed.Document parseAccepted(ShardId shard, Operation operation, byte[] source) {
    Parsed parsed = parse(operation.id(), source);
    if (parsed instanceof Parsed.Document document) {
      return document;
    }
    throw new EngineException(
        "accepted operation "
            + operation.seqNo()
            + " can't be indexed in "
            + shard
            + ": "
            + parsed);
  }

  private static Parsed document(String id, byte[] source, MappingPlan plan, DocumentBlock block) {
    return new Parsed.Document(
        id,
        source,
        KeptSource.of(plan.mapping(), source),
        plan.version(),
        new Parsed.Block(block.root(), block.nested()));
  }

  private static ErrorBody notUtf8(int at) {
    return DocumentReader.failedToParse(
            ErrorBody.of(400, "json_parse_exception", "Invalid UTF-8 at byte " + at))
        .error();
  }

  private static ErrorBody malformed(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    String where =
        at == null ? "" : "\n at [line: " + at.getLineNr() + ", column: " + at.getColumnNr() + "]";
    String type =
        e instanceof UnexpectedEndOfInputException
            ? "json_e_o_f_exception"
            : "json_parse_exception";
    return DocumentReader.failedToParse(ErrorBody.of(400, type, e.getOriginalMessage() + where))
        .error();
  }
}
