package io.varve.standalone;

import java.util.List;

/**
 * The text that {@code up} and {@code cluster} print below the line {@code ready URL}: the
 * addresses and folders of the cluster.
 *
 * @param url REST address of a coordinator
 * @param kafka bootstrap servers of the log
 * @param data data folder
 * @param heap a short text about the limit of the heap
 */
public record Banner(String url, String kafka, String data, String heap) {

  /** The lines to print, without line ends. */
  public List<String> lines() {
    return List.of(
        "",
        "  REST     " + url,
        "  health   " + url + "/_cluster/health?pretty",
        "  console  " + url + "/_console/",
        "  API      " + url + "/openapi.json",
        "  metrics  " + url + "/_actuator/prometheus",
        "  Kafka    " + kafka,
        "  data     " + data,
        "  heap     " + heap,
        "  stop     Ctrl-C");
  }

  /** Formats a size in bytes as megabytes. */
  public static String megabytes(long bytes) {
    return (bytes >> 20) + " MB";
  }

  /** Prints the lines on standard output. */
  public void print() {
    lines().forEach(System.out::println);
  }
}
