package io.varve.standalone.cluster;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** The same over TLS, with certificates between the processes and to their broker. */
@Tag("system")
@Tag("nightly")
class SecuredStoppedPrimaryTest extends StoppedPrimaryTest {

  @Override
  List<String> options() {
    List<String> options = new ArrayList<>(super.options());
    options.add("--secured");
    return options;
  }
}
