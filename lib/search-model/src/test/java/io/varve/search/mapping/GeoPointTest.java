package io.varve.search.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GeoPointTest {

  @Test
  void longitudesWrapAround() {
    double[][] table = {
      // lon, lat as written; lon, lat normalized
      {0, 0, 0, 0},
      {362, 1, 2, 1},
      {-190, 10, 170, 10},
      {2, 91, -178, 89},
      {2, -95, -178, -85},
      {0, 180, 180, 0},
      {540, 0, 180, 0},
    };
    for (double[] row : table) {
      GeoPoint point = GeoPoint.parseWrapped(List.of(row[0], row[1]));
      assertThat(Math.abs(point.lon()) == 180 ? 180 : point.lon())
          .as("longitude of %s, %s", row[0], row[1])
          .isEqualTo(row[2]);
      assertThat(point.lat()).as("latitude of %s, %s", row[0], row[1]).isEqualTo(row[3]);
    }
  }

  @Test
  void coordinatesOutOfRangeAreRefusedUnlessWrapped() {
    assertThatThrownBy(() -> GeoPoint.parse(List.of(0.0, 91.0))).isInstanceOf(ValueException.class);
  }
}
