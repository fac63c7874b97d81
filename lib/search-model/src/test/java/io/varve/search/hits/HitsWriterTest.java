package io.varve.search.hits;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.SearchRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HitsWriterTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final HitsWriter WRITER =
      new HitsWriter(SearchRequest.parse(new byte[0], Map.of()).hits(), false);

  /** Sources that fit into the generator's buffer, do not fit, and are larger than all of it. */
  @Test
  void sourcesOfAllSizesAreWrittenAsTheyAre() throws IOException {
    List<String> sources = new ArrayList<>();
    for (int size : List.of(0, 1, 100, 500, 511, 512, 513, 7_000, 8_000, 8_100, 20_000, 3)) {
      sources.add("{ \"text\" : \"" + "ä".repeat(size) + "\\n\" }");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    WRITER.write(hits(sources), out);

    String json = out.toString(StandardCharsets.UTF_8);
    assertThat(json).contains(sources);
    JsonNode hits = JSON.readTree(json).path("hits");
    assertThat(hits.size()).isEqualTo(sources.size());
    for (int i = 0; i < sources.size(); i++) {
      assertThat(hits.get(i).path("_id").asString()).isEqualTo("id-" + i);
      assertThat(hits.get(i).path("_source")).isEqualTo(JSON.readTree(sources.get(i)));
      assertThat(hits.get(i).path("sort").get(0).asLong()).isEqualTo(i);
    }
  }

  @Test
  void generatorsOfCharactersWriteTheSame() throws IOException {
    SearchHits hits = hits(List.of("{\"a\":\"ü\"}", "{}"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WRITER.write(hits, bytes);
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      WRITER.write(hits, json);
    }
    assertThat(text).hasToString(bytes.toString(StandardCharsets.UTF_8));
  }

  private static SearchHits hits(List<String> sources) {
    List<IndexHit> hits = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      ShardHit hit =
          new ShardHit(
              "id-" + i,
              null,
              Float.NaN,
              List.of((long) i),
              new ShardHit.Stamp(-1, -2, 0),
              sources.get(i).getBytes(StandardCharsets.UTF_8));
      hits.add(new IndexHit("index", 0, "", hit));
    }
    return new SearchHits(sources.size(), true, Float.NaN, hits);
  }
}
