package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamicTemplateTest {

  private static String added(String templates, String path, Object value) {
    Mapping mapping =
        Mapping.parse("{\"dynamic_templates\":[" + templates.replace('\'', '"') + "]}");
    MappingAdditions additions = new MappingAdditions(mapping);
    additions.addValue(path, value);
    return additions.toJson();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {'t':{'match_mapping_type':'string','mapping':{'type':'keyword'}}}             ¦ f   ¦ {"properties":{"f":{"type":"keyword"}}}
          {'t':{'match':'x*','mapping':{'type':'ip'}}}                                   ¦ x1  ¦ {"properties":{"x1":{"type":"ip"}}}
          {'t':{'match':'*','unmatch':'f','mapping':{'type':'ip'}}},{'u':{'match':'f','mapping':{'index':false}}} ¦ f ¦ {"properties":{"f":{"index":false,"type":"text"}}}
          {'t':{'path_match':'a.*','mapping':{'type':'keyword'}}}                        ¦ a.b ¦ {"properties":{"a":{"properties":{"b":{"type":"keyword"}}}}}
          {'t':{'match':'^f[0-9]$','match_pattern':'regex','mapping':{'type':'ip'}}}     ¦ f1  ¦ {"properties":{"f1":{"type":"ip"}}}
          {'t':{'match':'*','mapping':{'type':'{dynamic_type}','copy_to':'{name}_all'}}} ¦ f   ¦ {"properties":{"f":{"type":"text","copy_to":"f_all"}}}
          """)
  void theFirstMatchingTemplateDefinesTheField(String templates, String path, String json) {
    assertThat(added(templates, path, "some text")).isEqualTo(json);
  }

  @Test
  void typesAreThoseOfTheValue() {
    String template =
        "{'t':{'match_mapping_type':'long','mapping':{'type':'integer'}}},"
            + "{'u':{'match_mapping_type':'double','mapping':{'type':'double'}}}";
    assertThat(added(template, "f", 5L)).contains("integer");
    assertThat(added(template, "f", 5.5)).contains("\"double\"");
    assertThat(added(template, "f", true)).contains("boolean");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {'t':{'match_mapping_type':'text','mapping':{}}}  ¦ No field type matched on [text]
          {'t':{'match':'[','match_pattern':'regex','mapping':{}}} ¦ Pattern [[] of type [regex] is invalid
          {'t':{'mapping':{}}}                              ¦ template must have match, path_match or match_mapping_type set
          {'t':{'match':'x'}}                               ¦ template must have mapping set
          """)
  void refusesIncompleteTemplates(String template, String reason) {
    assertThatThrownBy(() -> added(template, "f", "x")).hasMessageContaining(reason);
  }
}
