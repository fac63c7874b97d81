package io.varve.standalone;

import java.util.List;
import java.util.stream.Stream;

/** A standalone whose nodes do not leave the cluster only because the machine is slow. */
final class PatientLeader {

  private PatientLeader() {}

  static List<String> arguments(String... more) {
    return Stream.concat(Stream.of("--varve.node.timeout-millis=60000"), Stream.of(more)).toList();
  }
}
