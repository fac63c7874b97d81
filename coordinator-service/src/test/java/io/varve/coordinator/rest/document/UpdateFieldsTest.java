package io.varve.coordinator.rest.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UpdateFieldsTest {

  @Test
  void readsWhatIsForTheCoordinatorAndSkipsTheChanges() {
    assertThat(read("{'doc':{'if_seq_no':1,'x':[{'_source':2}]},'upsert':{},'detect_noop':false}"))
        .isEqualTo(
            new UpdateFields(
                null, WriteItem.UNASSIGNED, 0, Set.of("doc", "upsert", "detect_noop")));
    assertThat(read("{'doc':{},'if_seq_no':3,'if_primary_term':1,'_source':{'includes':'a'}}"))
        .isEqualTo(
            new UpdateFields(new SourceFilter(true, List.of("a"), List.of()), 3, 1, Set.of("doc")));
  }

  @Test
  void aMisspeltFieldIsRefusedWithItsPlaceAndWhatWasMeant() {
    assertThatThrownBy(() -> read("{'dac':{}}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("[1:2] [UpdateRequest] unknown field [dac] did you mean [doc]?");
  }

  @Test
  void whatIsNoObjectIsRefused() {
    assertThatThrownBy(() -> read("{'doc':5}"))
        .hasMessageContaining("doc doesn't support values of type: VALUE_NUMBER");
    assertThatThrownBy(() -> read("[1]")).hasMessageContaining("START_OBJECT");
    assertThatThrownBy(() -> read("{'doc':")).isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> read("{'script':'x'}")).hasMessageContaining("script");
  }

  @Test
  void whatDoesNotGoTogetherIsTold() {
    assertThat(problems("{'doc':{},'upsert':{}}", WriteItem.UNASSIGNED)).isEmpty();
    assertThat(problems("{'doc_as_upsert':true}", WriteItem.UNASSIGNED))
        .containsExactly(
            "script or doc is missing", "doc must be specified if doc_as_upsert is enabled");
    assertThat(problems("{'doc':{},'upsert':{},'doc_as_upsert':true}", 4)).hasSize(2);
    assertThat(problems("{'doc':{},'doc_as_upsert':false}", 4)).isEmpty();
  }

  private static List<String> problems(String json, long ifSeqNo) {
    List<String> problems = new ArrayList<>();
    read(json).check(ifSeqNo, problems);
    return problems;
  }

  private static UpdateFields read(String json) {
    byte[] body = json.replace('\'', '"').getBytes(UTF_8);
    return UpdateFields.read(body, 0, body.length);
  }
}
