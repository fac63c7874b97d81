package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CcrTrackTest {

  private static List<String> ids(CcrTrack.Conflicting conflicting) {
    List<String> ids = new ArrayList<>();
    for (byte[] body : conflicting.bodies()) {
      List<String> lines = new String(body, UTF_8).lines().toList();
      for (int i = 0; i < lines.size(); i += 2) {
        ids.add(MeasuredServer.JSON.readTree(lines.get(i)).path("index").path("_id").asString());
        assertThat(MeasuredServer.JSON.readTree(lines.get(i + 1)).isObject()).isTrue();
      }
    }
    return ids;
  }

  @ParameterizedTest
  @EnumSource
  void aQuarterOfTheDocumentsOverwritesOthers(CcrTrack track) {
    CcrTrack.Conflicting conflicting = track.conflicting(4_000, 0.25);

    List<String> ids = ids(conflicting);
    assertThat(ids).hasSize(4_000);
    assertThat(new HashSet<>(ids)).hasSize(conflicting.ids());
    assertThat(conflicting.ids()).isBetween(2_900, 3_100);
    assertThat(conflicting.bodies()).hasSize(4_000 / track.documentsPerBulk());
  }

  @Test
  void everyRunIsSentTheSameDocuments() {
    assertThat(ids(CcrTrack.HTTP_LOGS.conflicting(500, 0.25)))
        .isEqualTo(ids(CcrTrack.HTTP_LOGS.conflicting(500, 0.25)));
  }

  @ParameterizedTest
  @CsvSource({"GEOPOINT,20000", "HTTP_LOGS,20000", "PMC,2000", "EVENTDATA,10000"})
  void largerDocumentsAreFewer(CcrTrack track, int documents) {
    assertThat(track.documents(20_000)).isEqualTo(documents);
  }

  @ParameterizedTest
  @CsvSource({"GEOPOINT,30,50", "HTTP_LOGS,100,160", "PMC,3000,6000", "EVENTDATA,400,900"})
  void documentsAreAboutAsLongAsThoseOfTheOriginal(CcrTrack track, double from, double to) {
    assertThat(CcrBytes.sourceBytes(track, 1_000)).isBetween(from, to);
  }
}
