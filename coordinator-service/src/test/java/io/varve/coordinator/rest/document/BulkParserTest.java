package io.varve.coordinator.rest.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteItem.Kind;
import io.varve.search.source.SourceFilter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BulkParserTest {

  private static final BulkDefaults NONE = new BulkDefaults(null, null, false, null);

  private static List<BulkItem> parse(String body) {
    return parse(body, NONE);
  }

  private static List<BulkItem> parse(String body, BulkDefaults defaults) {
    return BulkParser.parse(body.getBytes(StandardCharsets.UTF_8), defaults, new AutoIds());
  }

  private static String source(BulkItem item) {
    return new String(item.write().bodyBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void readsAllFourActionsInOrder() {
    List<BulkItem> items =
        parse(
            """
            {"index":{"_index":"a","_id":"1","routing":"r"}}
            {"f":1}
            {"create":{"_index":"b","_id":"2"}}
            {"f":2}
            {"delete":{"_index":"c","_id":"3"}}
            {"update":{"_index":"d","_id":"4","retry_on_conflict":3}}
            {"doc":{"f":4}}
            """);

    assertThat(items).extracting(BulkItem::index).containsExactly("a", "b", "c", "d");
    assertThat(items)
        .extracting(item -> item.write().kind())
        .containsExactly(Kind.INDEX, Kind.CREATE, Kind.DELETE, Kind.UPDATE);
    assertThat(items).extracting(item -> item.write().id()).containsExactly("1", "2", "3", "4");
    assertThat(items)
        .extracting(BulkParserTest::source)
        .containsExactly("{\"f\":1}", "{\"f\":2}", "", "{\"doc\":{\"f\":4}}");
    assertThat(items.getFirst().write().routing()).isEqualTo("r");
  }

  @Test
  void sourcesAreSlicesOfTheBody() {
    byte[] body = "{\"index\":{\"_index\":\"a\"}}\n{\"f\":1}\n".getBytes(StandardCharsets.UTF_8);

    WriteItem write = BulkParser.parse(body, NONE, new AutoIds()).getFirst().write();

    assertThat(write.body()).isSameAs(body);
  }

  @Test
  void documentsWithoutIdGetOneEach() {
    List<BulkItem> items = parse("{\"index\":{\"_index\":\"a\"}}\n{}\n".repeat(3));

    assertThat(items).allMatch(item -> item.write().autoId());
    assertThat(items).extracting(item -> item.write().id()).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void carriageReturnsAndEmptyLinesAreNoPartOfDocuments() {
    List<BulkItem> items =
        parse("{\"index\":{\"_index\":\"a\",\"_id\":\"1\"}}\r\n{\"f\":1}\r\n\n\r\n");

    assertThat(items).singleElement().extracting(BulkParserTest::source).isEqualTo("{\"f\":1}");
  }

  @Test
  void whatTheRequestSaysHoldsWhereAnActionSaysNothing() {
    BulkDefaults defaults = new BulkDefaults("a", "r", true, SourceFilter.ALL);

    List<BulkItem> items =
        parse(
            "{\"update\":{\"_id\":\"1\"}}\n{\"doc\":{}}\n{\"index\":{\"_index\":\"b\"}}\n{}\n",
            defaults);

    assertThat(items).extracting(BulkItem::index).containsExactly("a", "b");
    assertThat(items).extracting(item -> item.write().routing()).containsExactly("r", "r");
    assertThat(items).extracting(BulkItem::shown).containsExactly(SourceFilter.ALL, null);
    assertThat(items).allMatch(BulkItem::requireAlias);
  }

  @Test
  void opTypeCreateMakesAnIndexActionCreate() {
    assertThat(parse("{\"index\":{\"_index\":\"a\",\"_id\":\"1\",\"op_type\":\"create\"}}\n{}\n"))
        .extracting(item -> item.write().kind())
        .containsExactly(Kind.CREATE);
  }

  @Test
  void conditionsAndVersionsReachTheWrite() {
    WriteItem conditional =
        parse(
                """
                {"index":{"_index":"a","_id":"1","if_seq_no":0,"if_primary_term":2}}
                {}
                """)
            .getFirst()
            .write();
    assertThat(conditional.ifSeqNo()).isZero();
    assertThat(conditional.ifPrimaryTerm()).isEqualTo(2);

    WriteItem versioned =
        parse(
                "{\"delete\":{\"_index\":\"a\",\"_id\":\"1\",\"version\":5,"
                    + "\"version_type\":\"external\"}}\n")
            .getFirst()
            .write();
    assertThat(versioned.version()).isEqualTo(5);
    assertThat(versioned.versionType()).isEqualTo(WriteItem.VersionType.EXTERNAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "{'index':{'_index':'a'}}~{} | The bulk request must be terminated by a newline [\\n]",
        "{'index':{'_index':'a'}} | The bulk request must be terminated by a newline [\\n]",
        "['index']~ | Malformed action/metadata line [1], expected START_OBJECT but found"
            + " [START_ARRAY]",
        "{}~ | Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]",
        "{'upsert':{'_id':'1'}}~{}~ | Malformed action/metadata line [1], expected field [create],"
            + " [delete], [index] or [update] but found [upsert]",
        "{'index':[]}~{}~ | Malformed action/metadata line [1], expected START_OBJECT or END_OBJECT"
            + " but found [START_ARRAY]",
        "{'index':{'_index':'a','_id':{}}}~{}~ | Malformed action/metadata line [1], expected a"
            + " simple value for field [_id] but found [START_OBJECT]",
        "{'delete':{'_index':'a','_id':'1'}}~{'index':{'_type':'t'}}~{}~ | Action/metadata line [2]"
            + " contains an unknown parameter [_type]",
        "{'index':{'_index':'a'},'x':1}~{}~ | Malformed action/metadata line [1], expected"
            + " END_OBJECT but found [FIELD_NAME]",
        "{'index':{'_index':'a'}}~ | Validation Failed: 1: no requests added;",
        "~ | Validation Failed: 1: no requests added;",
        "{'index':{}}~{}~ | Validation Failed: 1: index is missing;",
        "{'delete':{'_index':'a'}}~ | Validation Failed: 1: id is missing;",
        "{'create':{'_index':'a','_id':'1','version':1,'version_type':'external'}}~{}~ | Validation"
            + " Failed: 1: create operations only support internal versioning. use index instead;",
      })
  void refusesTheWhole(String body, String reason) {
    assertThatThrownBy(() -> parse(body.replace('\'', '"').replace('~', '\n')))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.error().reason()).isEqualTo(reason);
              assertThat(e.error().status()).isEqualTo(400);
            });
  }

  @Test
  void anIdMayHave512Bytes() {
    String line = "{\"index\":{\"_index\":\"a\",\"_id\":\"%s\"}}\n{}\n";

    assertThat(parse(line.formatted("x".repeat(512)))).hasSize(1);
    assertThatThrownBy(() -> parse(line.formatted("é".repeat(257))))
        .hasMessageContaining("is too long, must be no longer than 512 bytes but was: 514");
  }

  @Test
  void anEmptyIdConcernsItsItemAlone() {
    List<BulkItem> items =
        parse(
            "{\"index\":{\"_index\":\"a\",\"_id\":\"\"}}\n{}\n{\"index\":{\"_index\":\"a\"}}\n{}\n");

    assertThat(items.getFirst().refusal()).isNotNull();
    assertThat(items.getLast().refusal()).isNull();
  }
}
