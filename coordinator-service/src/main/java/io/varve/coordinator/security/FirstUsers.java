package io.varve.coordinator.security;

import io.varve.security.SecurityCommand;
import java.io.IOException;
import java.util.List;

/** The users of a cluster that has none yet. */
interface FirstUsers {

  /**
   * Commands that create them, all together.
   *
   * @throws IOException a file can't be read or written
   */
  List<SecurityCommand> commands() throws IOException;

  /** A line for the log that tells an administrator where to find the users. */
  String notice();
}
