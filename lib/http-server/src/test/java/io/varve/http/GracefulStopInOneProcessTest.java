package io.varve.http;

import java.util.List;

/** The same with the threads that a server has in a process with several services. */
class GracefulStopInOneProcessTest extends GracefulStopTest {

  @Override
  List<String> properties() {
    return List.of("--varve.one-process=true");
  }
}
