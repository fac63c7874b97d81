package io.varve.engine.document;

import io.varve.engine.MappingSource;
import io.varve.engine.Parsed;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Reads documents under the newest mapping. Safe to share. */
public final class DocumentParser {

  private static final JsonFactory JSON =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final MappingSource mappings;
  private final Analyzer analyzer = new StandardAnalyzer();

  public DocumentParser(MappingSource mappings, Map<String, String> settings) {
    this.mappings = mappings;
  }

  public Analyzer analyzer() {
    return analyzer;
  }

  public long mappingVersion() {
    return mappings.current().version();
  }

  /** Reads {@code source} in one pass. */
  public Parsed parse(String id, @Nullable String routing, byte[] source) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), source)) {
      JsonToken token = json.nextToken();
      if (token != JsonToken.START_OBJECT) {
        return new Parsed.Invalid(
            ErrorBody.of(400, "mapper_parsing_exception", "failed to parse")
                .causedBy(
                    ErrorBody.of(
                        400,
                        "not_x_content_exception",
                        "Compressor detection can only be called on some xcontent bytes or"
                            + " compressed xcontent bytes")));
      }
      json.skipChildren();
      return new Parsed.Document(id, source, mappings.current().version(), List.of());
    } catch (JacksonException e) {
      return new Parsed.Invalid(
          ErrorBody.of(400, "mapper_parsing_exception", "failed to parse")
              .causedBy(ErrorBody.of(400, "json_parse_exception", e.getOriginalMessage())));
    }
  }
}
