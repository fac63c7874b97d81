package io.varve.coordinator.rest.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.rpc.WriteItem;
import io.varve.search.source.SourceFilter;
import java.util.List;
import org.junit.jupiter.api.Test;

class UpdateFieldsTest {

  @Test
  void readsWhatIsForTheCoordinatorAndSkipsTheChanges() {
    assertThat(read("{'doc':{'if_seq_no':1,'x':[{'_source':2}]},'upsert':{},'detect_noop':false}"))
        .isEqualTo(new UpdateFields(null, WriteItem.UNASSIGNED, 0));
    assertThat(read("{'doc':{},'if_seq_no':3,'if_primary_term':1,'_source':{'includes':'a'}}"))
        .isEqualTo(new UpdateFields(new SourceFilter(true, List.of("a"), List.of()), 3, 1));
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

  private static UpdateFields read(String json) {
    byte[] body = json.replace('\'', '"').getBytes(UTF_8);
    return UpdateFields.read(body, 0, body.length);
  }
}
