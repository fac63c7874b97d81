package io.varve.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterPathTest {

  private static final String DOCUMENT =
      "{'took':1,'hits':{'total':2,'hits':[{'_id':'1','_source':{'a':{'b':1},'c':2}},"
          + "{'_id':'2','_source':{'c':3}}]},'x.y':{'a':{}}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "took | {'took':1}",
        "took,hits.total | {'took':1,'hits':{'total':2}}",
        "hits.hits._id | {'hits':{'hits':[{'_id':'1'},{'_id':'2'}]}}",
        "hits.hits._source.a | {'hits':{'hits':[{'_source':{'a':{'b':1}}}]}}",
        "**.c | {'hits':{'hits':[{'_source':{'c':2}},{'_source':{'c':3}}]}}",
        "**.b | {'hits':{'hits':[{'_source':{'a':{'b':1}}}]}}",
        "h*.t* | {'hits':{'total':2}}",
        "x\\.y | {'x.y':{'a':{}}}",
        "nothing | {}",
        "-hits,-x* | {'took':1}",
        "-hits.hits._source,-x\\.y | {'took':1,'hits':{'total':2,'hits':[{'_id':'1'},{'_id':'2'}]}}",
        "hits,-hits.hits | {'hits':{'total':2}}",
        "-**.a,-hits | {'took':1}",
      })
  void keepsWhatIsNamed(String expression, String expected) {
    FilterPath filter = Objects.requireNonNull(FilterPath.parse(expression));

    Object left = filter.apply(Json.mapper().readValue(DOCUMENT.replace('\'', '"'), Map.class));

    assertThat(new String(Json.write(left), StandardCharsets.UTF_8).replace('"', '\''))
        .isEqualTo(expected);
  }
}
