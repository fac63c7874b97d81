package io.varve.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rpc.ErrorBody;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.index.IndexableField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentParserTest {

  private static final String MAPPING =
      """
      {"dynamic":"strict","properties":{
        "long":{"type":"long"}, "int":{"type":"integer"}, "double":{"type":"double"},
        "bool":{"type":"boolean"}, "date":{"type":"date"}, "ip":{"type":"ip"},
        "day":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},
        "kw":{"type":"keyword","ignore_above":5,"null_value":"none"},
        "text":{"type":"text","fields":{"raw":{"type":"keyword"}}},
        "point":{"type":"geo_point"},
        "off":{"type":"object","enabled":false},
        "loose":{"type":"object","dynamic":"false","properties":{"n":{"type":"long"}}},
        "obj":{"properties":{"n":{"type":"long"},"inner":{"properties":{"s":{"type":"keyword"}}}}}}}
      """;

  private static Parsed parse(String mapping, String json) {
    MappingSource.Versioned current = new MappingSource.Versioned(3, mapping);
    return new DocumentParser(() -> current, java.util.Map.of())
        .parse("1", json.getBytes(StandardCharsets.UTF_8));
  }

  private static List<IndexableField> fields(String json) {
    return ((Parsed.Document) parse(MAPPING, json.replace('\'', '"'))).fields();
  }

  private static String names(String json) {
    return fields(json).stream().map(IndexableField::name).collect(Collectors.joining(" "));
  }

  private static ErrorBody error(String json) {
    return ((Parsed.Invalid) parse(MAPPING, json.replace('\'', '"'))).error();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '`',
      value = {
        "{'long':'x'}        | long    | x       | For input string: \"x\"",
        "{'long':99999999999999999999} | long | 99999999999999999999 | Value [99999999999999999999]"
            + " is out of range for a long",
        "{'int':3000000000}  | int     | 3000000000 | Value [3000000000] is out of range for an"
            + " integer",
        "{'bool':'yes'}      | bool    | yes     | Failed to parse value [yes] as only [true] or"
            + " [false] are allowed.",
        "{'ip':'1.2.3'}      | ip      | 1.2.3   | '1.2.3' is not an IP string literal.",
        "{'date':'someday'}  | date    | someday | failed to parse date field [someday] with format"
            + " [strict_date_optional_time||epoch_millis]",
        "{'day':'2015-01-01'} | day     | 2015-01-01 | failed to parse date field [2015-01-01] with"
            + " format [yyyy-MM-dd HH:mm:ss]",
        "{'long':{'a':1}}    | long    | {a=1}   | Can't get text on a START_OBJECT at 1:9",
        "{'obj':{'n':'x'}}   | obj.n   | x       | For input string: \"x\"",
      })
  void aMalformedValueIsRefused(String json, String path, String preview, String cause) {
    ErrorBody error = error(json);
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("mapper_parsing_exception");
    assertThat(error.reason())
        .startsWith("failed to parse field [" + path + "] of type [")
        .endsWith("] in document with id '1'. Preview of field's value: '" + preview + "'");
    assertThat(error.causedBy()).isNotNull();
    assertThat(error.causedBy().reason()).isEqualTo(cause);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " | ",
      quoteCharacter = '`',
      value = {
        "{'long':1          | json_e_o_f_exception",
        "{'long':1}}        | json_parse_exception",
        "{'long':1} {}      | illegal_argument_exception",
        "{'long':1,'long':2} | json_parse_exception",
        "{'off':{'a':1,'a':2}} | json_parse_exception",
        "{long:1}           | json_parse_exception",
        "[]                 | not_x_content_exception",
        "``                 | not_x_content_exception",
        "{'':1}             | illegal_argument_exception",
      })
  void brokenJsonIsRefused(String json, String cause) {
    ErrorBody error = error(json);
    assertThat(error.type()).isEqualTo("mapper_parsing_exception");
    assertThat(error.reason()).isEqualTo("failed to parse");
    assertThat(error.causedBy()).isNotNull();
    assertThat(error.causedBy().type()).isEqualTo(cause);
  }

  @Test
  void aStrictObjectRefusesNewFields() {
    assertThat(error("{'foo':1}"))
        .isEqualTo(
            ErrorBody.of(
                400,
                "strict_dynamic_mapping_exception",
                "mapping set to strict, dynamic introduction of [foo] within [_doc] is not"
                    + " allowed"));
    assertThat(error("{'obj':{'foo':null}}").reason())
        .isEqualTo(
            "mapping set to strict, dynamic introduction of [foo] within [obj] is not allowed");
  }

  @Test
  void metadataFieldsAreNotPartOfADocument() {
    assertThat(error("{'_id':'2'}").reason()).startsWith("Field [_id] is a metadata field");
  }

  @Test
  void aValueWhereAnObjectBelongsIsRefused() {
    assertThat(error("{'obj':1}").reason())
        .isEqualTo(
            "object mapping for [obj] tried to parse field [obj] as object, but found a concrete"
                + " value");
  }

  @Test
  void valuesAreCoerced() {
    assertThat(fields("{'long':'5'}").getFirst().numericValue()).isEqualTo(5L);
    assertThat(fields("{'int':5.7}").getFirst().numericValue()).isEqualTo(5);
    assertThat(fields("{'day':'1970-01-01 00:00:01'}").getFirst().numericValue()).isEqualTo(1000L);
    assertThat(fields("{'date':1500000000000}").getFirst().numericValue())
        .isEqualTo(1500000000000L);
  }

  @Test
  void listsNullsAndSubFieldsAreFlattened() {
    assertThat(names("{'long':[1,[2,3],null]}")).isEqualTo("long long long");
    assertThat(names("{'obj':[{'n':1},null,{'n':[2],'inner':{'s':'a'}}]}"))
        .isEqualTo("obj.n obj.n obj.inner.s");
    assertThat(names("{'obj.inner.s':'a','obj.n':1}")).isEqualTo("obj.inner.s obj.n");
    assertThat(names("{'text':'some words'}")).isEqualTo("text text.raw");
    assertThat(fields("{'kw':null}").getFirst().binaryValue().utf8ToString()).isEqualTo("none");
    assertThat(names("{'kw':'too long'}")).isEmpty();
    assertThat(names("{'off':{'x':[1,{'y':2}]},'loose':{'z':1,'n':2}}")).isEqualTo("loose.n");
    assertThat(names("{'point':{'lat':1,'lon':2}}")).startsWith("point");
  }

  @Test
  void allNewFieldsAreReportedTogether() {
    Parsed parsed =
        parse(
            "{}",
            "{\"s\":\"a\",\"n\":1,\"d\":1.5,\"b\":true,\"o\":{\"x\":[\"2015-01-01\"]},\"nil\":null,"
                + "\"e\":[]}");
    assertThat(parsed)
        .isEqualTo(
            new Parsed.NeedsMapping(
                3,
                "{\"properties\":{\"s\":{\"type\":\"text\",\"fields\":{\"keyword\":{\"type\":"
                    + "\"keyword\",\"ignore_above\":256}}},\"n\":{\"type\":\"long\"},\"d\":{\"type\":"
                    + "\"float\"},\"b\":{\"type\":\"boolean\"},\"o\":{\"properties\":{\"x\":{\"type\":"
                    + "\"date\"}}}}}"));
  }
}
