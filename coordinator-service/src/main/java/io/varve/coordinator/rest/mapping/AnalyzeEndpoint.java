package io.varve.coordinator.rest.mapping;

import io.varve.analysis.IndexAnalysis;
import io.varve.analysis.Tokens;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.Analyzer;
import org.jspecify.annotations.Nullable;

/** {@code _analyze}: the tokens that an analyzer produces from a text. */
public final class AnalyzeEndpoint implements RestEndpoint {

  private static final int MOST_TOKENS = 10_000;

  private final ClusterAccess cluster;

  public AnalyzeEndpoint(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /** An analyzer, with its name in explanations. */
  private record Found(String name, Analyzer analyzer, boolean custom) {}

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_analyze", "/{index}/_analyze");
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody("{\"analyzer\":\"standard\",\"text\":\"The quick brown fox\"}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String name = request.param("index");
    request.requiredBody();
    AnalyzeRequest analyze = AnalyzeRequest.parse(request.bodyAsMap());
    return responder -> {
      IndexMetadata index = name == null ? null : index(name);
      Map<String, String> settings = index == null ? Map.of() : index.settings();
      Found found = find(analyze, index, settings);
      int most =
          Integer.parseInt(
              settings.getOrDefault(
                  "index.analyze.max_token_count", Integer.toString(MOST_TOKENS)));
      responder.json(
          200,
          answer(
              analyze, found, new Tokens.Request(most, analyze.explain(), analyze.attributes())));
    };
  }

  private IndexMetadata index(String name) {
    List<IndexMetadata> indices =
        IndexResolver.resolve(cluster.state(), name, IndexOptions.CONCRETE);
    if (indices.size() != 1) {
      throw illegal("[" + name + "] names " + indices.size() + " indices, one is needed");
    }
    return indices.getFirst();
  }

  private static Found find(
      AnalyzeRequest analyze, @Nullable IndexMetadata index, Map<String, String> settings) {
    IndexAnalysis analysis = IndexAnalysis.of(settings);
    AnalyzeRequest.Named named = analyze.named();
    String analyzer = named.analyzer();
    if (analyzer != null) {
      Analyzer known = analysis.analyzer(analyzer);
      if (known == null) {
        throw illegal(
            "failed to find " + (index == null ? "global " : "") + "analyzer [" + analyzer + "]");
      }
      return new Found(analyzer, known, false);
    }
    String normalizer = named.normalizer();
    if (normalizer != null) {
      Analyzer known = analysis.normalizer(normalizer);
      if (known == null || index == null) {
        throw illegal(
            index == null
                ? "analysis based on a normalizer requires an index"
                : "failed to find normalizer under [" + normalizer + "]");
      }
      return new Found(normalizer, known, false);
    }
    String field = named.field();
    if (field != null) {
      return ofField(field, index, settings);
    }
    AnalyzeRequest.Parts parts = analyze.parts();
    Object tokenizer = parts.tokenizer();
    if (tokenizer != null) {
      return new Found("", analysis.custom(parts.charFilters(), tokenizer, parts.filters()), true);
    }
    if (!parts.isEmpty()) {
      return new Found("", analysis.customNormalizer(parts.charFilters(), parts.filters()), true);
    }
    return ofDefault(analysis);
  }

  private static Found ofDefault(IndexAnalysis analysis) {
    Analyzer known = analysis.analyzer(IndexAnalysis.DEFAULT_NAME);
    if (known == null) {
      throw new IllegalStateException("no default analyzer");
    }
    String name = analysis.defines(IndexAnalysis.DEFAULT_NAME) ? "default" : "standard";
    return new Found(name, known, false);
  }

  private static Found ofField(
      String name, @Nullable IndexMetadata index, Map<String, String> settings) {
    if (index == null) {
      throw illegal("analysis based on a specific field requires an index");
    }
    MappingRules rules = MappingRules.of(settings);
    LeafField field = Mapping.parse(index.mapping(), rules).leaf(name);
    if (field == null) {
      return ofDefault(rules.analysis());
    }
    if (field.type().isText()) {
      Analyzer analyzer = rules.analysis().analyzer(field.analyzer());
      if (analyzer != null) {
        return new Found(field.analyzer(), analyzer, false);
      }
    }
    if (field.type() == FieldType.KEYWORD) {
      String normalizer = field.normalizer();
      Analyzer analyzer =
          normalizer == null
              ? rules.analysis().analyzer("keyword")
              : rules.analysis().normalizer(normalizer);
      if (analyzer != null) {
        return new Found(normalizer == null ? "keyword" : normalizer, analyzer, false);
      }
    }
    throw illegal(
        "Can't process field ["
            + name
            + "], Analysis requests are only supported on tokenized fields");
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }

  private static Map<String, Object> answer(
      AnalyzeRequest analyze, Found found, Tokens.Request how) {
    if (!analyze.explain()) {
      return Map.of("tokens", shown(Tokens.of(found.analyzer, analyze.texts(), how)));
    }
    Map<String, Object> detail = new LinkedHashMap<>();
    boolean chain = Tokens.isChain(found.analyzer);
    detail.put("custom_analyzer", chain);
    if (chain) {
      putSteps(Tokens.steps(found.analyzer, analyze.texts(), how), detail);
    } else {
      detail.put("analyzer", step(found.name, Tokens.of(found.analyzer, analyze.texts(), how)));
    }
    return Map.of("detail", detail);
  }

  private static void putSteps(Tokens.Steps steps, Map<String, Object> into) {
    if (!steps.charFilters().isEmpty()) {
      List<Map<String, Object>> filtered = new ArrayList<>();
      steps
          .charFilters()
          .forEach(step -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", step.name());
            one.put("filtered_text", step.texts());
            filtered.add(one);
          });
      into.put("charfilters", filtered);
    }
    into.put("tokenizer", step(steps.tokenizer().name(), steps.tokenizer().tokens()));
    if (!steps.filters().isEmpty()) {
      into.put(
          "tokenfilters",
          steps.filters().stream().map(step -> step(step.name(), step.tokens())).toList());
    }
  }

  private static Map<String, Object> step(String name, List<Tokens.Token> tokens) {
    Map<String, Object> step = new LinkedHashMap<>();
    step.put("name", name);
    step.put("tokens", shown(tokens));
    return step;
  }

  private static List<Map<String, Object>> shown(List<Tokens.Token> tokens) {
    return tokens.stream().map(AnalyzeEndpoint::shown).toList();
  }

  private static Map<String, Object> shown(Tokens.Token token) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("token", token.term());
    shown.put("start_offset", token.span().start());
    shown.put("end_offset", token.span().end());
    shown.put("type", token.type());
    shown.put("position", token.place().position());
    if (token.place().length() > 1) {
      shown.put("positionLength", token.place().length());
    }
    shown.putAll(token.attributes());
    return shown;
  }
}
