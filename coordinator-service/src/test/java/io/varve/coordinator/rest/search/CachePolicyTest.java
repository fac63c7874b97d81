package io.varve.coordinator.rest.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.search.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CachePolicyTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{'size':0}                                                      | -     | true",
        "{}                                                              | -     | false",
        "{}                                                              | true  | true",
        "{'size':0}                                                      | false | false",
        "{'size':0,'query':{'range':{'d':{'gte':'now-1d'}}}}             | -     | false",
        "{'size':0,'query':{'range':{'d':{'gte':'now/d'}}}}              | true  | false",
        "{'size':0,'query':{'match':{'t':'known'}}}                      | -     | true",
        "{'size':0,'query':{'query_string':{'query':'d:[* TO now]'}}}    | -     | false",
        "{'size':0,'query':{'range':{'d':{'gte':'\\u006eow'}}}}          | -     | false",
      })
  void keepsWhatDoesNotChangeByItself(String body, @Nullable Boolean asked, boolean kept) {
    SearchRequest request =
        SearchRequest.parse(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8), Map.of());

    assertThat(CachePolicy.allows(request, asked)).isEqualTo(kept);
  }
}
