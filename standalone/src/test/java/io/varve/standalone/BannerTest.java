package io.varve.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BannerTest {

  private static final Banner BANNER =
      new Banner("http://127.0.0.1:9200", "127.0.0.1:9092", "/data", Banner.megabytes(512L << 20));

  @Test
  void namesEachAddressInAtMostTenLines() {
    assertThat(BANNER.lines())
        .hasSizeLessThanOrEqualTo(10)
        .contains(
            "  REST     http://127.0.0.1:9200",
            "  health   http://127.0.0.1:9200/_cluster/health?pretty",
            "  console  http://127.0.0.1:9200/_console/",
            "  Kafka    127.0.0.1:9092",
            "  data     /data",
            "  heap     512 MB");
  }
}
