package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.Mapping.Merge;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MappingTest {

  private static final String TAXIS =
      """
      {"dynamic":"strict","_source":{"enabled":true},"properties":{
       "surcharge":{"scaling_factor":100,"type":"scaled_float"},
       "dropoff_datetime":{"type":"date","format":"yyyy-MM-dd HH:mm:ss"},
       "trip_type":{"type":"keyword"},"vendor_name":{"type":"text"},
       "pickup_location":{"type":"geo_point"},"ehail_fee":{"type":"half_float"},
       "passenger_count":{"type":"integer"}}}
      """;

  private static final String LOGS =
      """
      {"dynamic":"strict","properties":{
       "@timestamp":{"format":"strict_date_optional_time||epoch_second","type":"date"},
       "message":{"type":"keyword","index":false,"doc_values":false},
       "clientip":{"type":"ip"},
       "request":{"type":"text","fields":{"raw":{"ignore_above":256,"type":"keyword"}}},
       "status":{"type":"integer"},
       "geoip":{"properties":{"country_name":{"type":"keyword"},"location":{"type":"geo_point"}}}}}
      """;

  @Test
  void readsTheMappingsOfTheBenchmarks() {
    Mapping taxis = Mapping.parse(TAXIS);
    assertThat(taxis.leaf("surcharge").scalingFactor()).isEqualTo(100);
    assertThat(taxis.root().dynamic()).isEqualTo(Dynamic.STRICT);
    assertThat(taxis.leaf("dropoff_datetime").dateFormat().parse("2015-01-01 00:34:42"))
        .isEqualTo(1420072482000L);

    Mapping logs = Mapping.parse(LOGS);
    assertThat(logs.leaf("request.raw").ignoreAbove()).isEqualTo(256);
    assertThat(logs.leaf("geoip.location").type()).isEqualTo(FieldType.GEO_POINT);
    assertThat(logs.leaf("message").indexed()).isFalse();
    assertThat(logs.leaf("message").docValues()).isFalse();
    assertThat(logs.leaf("@timestamp").dateFormat().parse(893964617)).isEqualTo(893964617000L);
    assertThat(logs.object("geoip").dynamic()).isEqualTo(Dynamic.STRICT);
  }

  @ParameterizedTest
  @ValueSource(strings = {TAXIS, LOGS, "{}", "{\"_meta\":{\"a\":[1,2]},\"date_detection\":false}"})
  void aWrittenMappingParsesToAnEqualOne(String json) {
    Mapping mapping = Mapping.parse(json);
    assertThat(Mapping.parse(mapping.toJson())).isEqualTo(mapping);
    assertThat(Mapping.parse(mapping.toJson()).toJson()).isEqualTo(mapping.toJson());
  }

  @Test
  void equivalentMappingsHaveTheSameJson() {
    assertThat(
            Mapping.parse(
                    """
                    {"properties":{"b":{"index":true,"type":"long"},"a.c":{"type":"keyword"}}}
                    """)
                .toJson())
        .isEqualTo(
            """
            {"properties":{"a":{"properties":{"c":{"type":"keyword"}}},"b":{"type":"long"}}}\
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"f":{"type":"blob"}}                          ¦ No handler for type [blob] declared on field [f]
          {"f":{"type":"long","analyzer":"x"}}           ¦ unknown parameter [analyzer] on mapper [f] of type [long]
          {"f":{"index":true}}                           ¦ No type specified for field [f]
          {"f":"long"}                                   ¦ Expected map for property [fields] on field [f] but got a class java.lang.String
          {"f":{"type":"scaled_float"}}                  ¦ Field [scaling_factor] is required
          {"f":{"type":"date","format":"bogus"}}         ¦ Error parsing [format] on field [f]
          {"f":{"type":"object","x":1}}                  ¦ Mapping definition for [f] has unsupported parameters:  [x : 1]
          {"f":{"type":"integer","null_value":"x"}}      ¦ Error parsing [null_value] on field [f]
          """)
  void refusesUnknownPartsOfAMapping(String properties, String reason) {
    assertThatThrownBy(() -> Mapping.parse("{\"properties\":" + properties + "}"))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().type()).isEqualTo("mapper_parsing_exception");
              assertThat(e.error().reason()).startsWith(reason);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"_id":{"type":"keyword"}}                                          ¦ Field [_id] is defined more than once
          {"_seq_no":{"type":"long"}}                                         ¦ Field [_seq_no] is defined more than once
          {"_source_shape":{"type":"keyword"}}                                ¦ Field [_source_shape] is defined more than once
          {"_source.shape":{"type":"keyword"}}                                ¦ Field [_source] is defined both as an object and a field
          {"_version":{"properties":{"n":{"type":"long"}}}}                   ¦ Field [_version] is defined both as an object and a field
          {"n":{"type":"long"},"_source":{"type":"alias","path":"n"}}         ¦ Alias [_source] is defined both as an alias and a concrete field
          """)
  void reservedNamesAreRefused(String properties, String reason) {
    String json = "{\"properties\":" + properties + "}";
    assertThat(List.of(Mapping.create(json, MappingRules.DEFAULT), Mapping.EMPTY.merge(json)))
        .allSatisfy(merge ->
            assertThat(merge)
                .isEqualTo(
                    new Merge.Refused(ErrorBody.of(400, "mapper_parsing_exception", reason))));
    assertThat(Mapping.create("{\"properties\":{\"o\":" + json + "}}", MappingRules.DEFAULT))
        .isInstanceOf(properties.contains("alias") ? Merge.Refused.class : Merge.Merged.class);
  }

  @Test
  void refusesUnknownSettingsOfTheRoot() {
    assertThatThrownBy(() -> Mapping.parse("{\"bogus\":1}"))
        .hasMessageContaining("Root mapping definition has unsupported parameters:  [bogus : 1]");
    assertThatThrownBy(
            () -> Mapping.parse("{\"properties\":{\"f\":{\"type\":\"text\",\"analyzer\":\"x\"}}}"))
        .hasMessageContaining("analyzer [x] has not been configured in mappings");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '~',
      textBlock =
          """
          {"type":"long"}                     ¦ {"type":"text"}                    ¦ mapper [f] cannot be changed from type [long] to [text]
          {"type":"long"}                     ¦ {"properties":{}}                  ¦ mapper [f] cannot be changed from type [long] to [ObjectMapper]
          {"properties":{}}                   ¦ {"type":"long"}                    ¦ can't merge a non object mapping [f] with an object mapping
          {"type":"long"}                     ¦ {"type":"long","index":false}      ¦ Cannot update parameter [index] from [true] to [false]
          {"type":"text","norms":false}       ¦ {"type":"text"}                    ¦ Cannot update parameter [norms] from [false] to [true]
          {"type":"date"}                     ¦ {"type":"date","format":"yyyy"}    ¦ Cannot update parameter [format]
          """)
  void aFieldKeepsItsType(String before, String after, String reason) {
    Merge merge =
        Mapping.parse("{\"properties\":{\"f\":" + before + "}}")
            .merge("{\"properties\":{\"new\":{\"type\":\"long\"},\"f\":" + after + "}}");
    assertThat(merge)
        .isInstanceOfSatisfying(
            Merge.Refused.class,
            refused -> {
              assertThat(refused.error().type()).isEqualTo("illegal_argument_exception");
              assertThat(refused.error().reason()).contains(reason);
            });
  }

  @Test
  void addsFieldsObjectsAndFieldsOfFields() {
    Merge merge =
        Mapping.parse(LOGS)
            .merge(
                """
                {"properties":{"request":{"type":"text","fields":{"exact":{"type":"keyword"}}},
                 "geoip":{"properties":{"zip":{"type":"keyword"}}}}}
                """);
    Mapping merged = ((Merge.Merged) merge).mapping();
    assertThat(merged.leaf("request.exact")).isNotNull();
    assertThat(merged.leaf("request.raw")).isNotNull();
    assertThat(merged.leaf("geoip.zip")).isNotNull();
    assertThat(merged.leaf("geoip.location")).isNotNull();
  }

  @Test
  void mergingTheSameMappingChangesNothing() {
    Mapping mapping = Mapping.parse(LOGS);
    assertThat(mapping.merge(mapping.toJson())).isEqualTo(new Merge.Merged(mapping, false));
    assertThat(mapping.merge("{\"properties\":{\"status\":{\"type\":\"integer\"}}}"))
        .isEqualTo(new Merge.Merged(mapping, false));
  }

  @Test
  void inheritedValuesFollowTheParent() {
    Merge merge = Mapping.parse(LOGS).merge("{\"dynamic\":false}");
    ObjectField inner = ((Merge.Merged) merge).mapping().object("geoip");
    assertThat(inner.dynamic()).isEqualTo(Dynamic.FALSE);
    assertThat(inner.declaredDynamic()).isNull();
  }

  @Test
  void refusesMoreFieldsThanAllowed() {
    StringBuilder many = new StringBuilder("{\"properties\":{");
    for (int i = 0; i < 1001; i++) {
      many.append(i == 0 ? "" : ",").append("\"f").append(i).append("\":{\"type\":\"long\"}");
    }
    assertThat(Mapping.EMPTY.merge(many.append("}}").toString()))
        .isInstanceOfSatisfying(
            Merge.Refused.class,
            refused ->
                assertThat(refused.error().reason())
                    .isEqualTo("Limit of total fields [1000] has been exceeded"));
  }

  @Test
  void refusesObjectsWithoutEnd() {
    String deep = "{\"properties\":{\"o\":".repeat(50) + "{\"type\":\"long\"}" + "}}".repeat(50);
    assertThat(Mapping.EMPTY.merge(deep))
        .isInstanceOfSatisfying(
            Merge.Refused.class,
            refused ->
                assertThat(refused.error().reason())
                    .startsWith(
                        "Limit of mapping depth [20] has been exceeded due to object field"));
  }

  @Test
  void detectsTheTypesOfNewFields() {
    MappingAdditions additions = new MappingAdditions(Mapping.EMPTY);
    additions.addValue("text", "words");
    additions.addValue("whole", 1L);
    additions.addValue("decimal", 1.5);
    additions.addValue("truth", true);
    additions.addValue("day", "2024-02-29");
    additions.addValue("slashed", "2024/02/29 10:00:00");
    additions.addValue("no_day", "2024-02-31");
    additions.addValue("a.b", "x");
    additions.addValue("a.c", 1L);
    Mapping mapping = Mapping.parse(additions.toJson());
    assertThat(mapping.leaf("text").type()).isEqualTo(FieldType.TEXT);
    assertThat(mapping.leaf("text.keyword").ignoreAbove()).isEqualTo(256);
    assertThat(mapping.leaf("whole").type()).isEqualTo(FieldType.LONG);
    assertThat(mapping.leaf("decimal").type()).isEqualTo(FieldType.FLOAT);
    assertThat(mapping.leaf("truth").type()).isEqualTo(FieldType.BOOLEAN);
    assertThat(mapping.leaf("day").type()).isEqualTo(FieldType.DATE);
    assertThat(mapping.leaf("slashed").dateFormat().parse("2024/02/29 10:00:00"))
        .isEqualTo(1709200800000L);
    assertThat(mapping.leaf("no_day").type()).isEqualTo(FieldType.TEXT);
    assertThat(mapping.leaf("a.b")).isNotNull();
    assertThat(mapping.leaf("a.c")).isNotNull();
  }

  @Test
  void dateAndNumericDetectionAreConfigurable() {
    MappingAdditions additions =
        new MappingAdditions(
            Mapping.parse("{\"date_detection\":false,\"numeric_detection\":true}"));
    additions.addValue("day", "2024-02-29");
    additions.addValue("number", "12");
    additions.addValue("decimal", "1.5");
    Mapping mapping = Mapping.parse(additions.toJson());
    assertThat(mapping.leaf("day").type()).isEqualTo(FieldType.TEXT);
    assertThat(mapping.leaf("number").type()).isEqualTo(FieldType.LONG);
    assertThat(mapping.leaf("decimal").type()).isEqualTo(FieldType.FLOAT);
  }

  @Test
  void aDerivedSourceCantBeDisabled() {
    MappingRules derived = MappingRules.of(Map.of("index.derived_source.enabled", "true"));
    assertThat(Mapping.create("{\"_source\":{\"enabled\":true}}", derived))
        .isInstanceOf(Merge.Merged.class);
    Merge refused = Mapping.create("{\"_source\":{\"enabled\":false}}", derived);
    assertThat(refused).isInstanceOf(Merge.Refused.class);
    assertThat(((Merge.Refused) refused).error().type()).isEqualTo("mapper_parsing_exception");
    assertThat(((Merge.Refused) refused).error().reason())
        .isEqualTo(
            "_source can't be disabled with index.derived_source.enabled enabled index setting");
  }

  @Test
  void someOptionsCanBeSetOnlyWhenAnIndexIsCreated() {
    String json = "{\"_routing\":{\"required\":true},\"_source\":{\"enabled\":false}}";
    assertThat(Mapping.create(json, MappingRules.DEFAULT)).isInstanceOf(Merge.Merged.class);
    assertThat(Mapping.EMPTY.merge(json)).isInstanceOf(Merge.Refused.class);
  }
}
