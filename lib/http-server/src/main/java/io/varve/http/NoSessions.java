package io.varve.http;

import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.DefaultSessionIdManager;
import org.eclipse.jetty.session.HouseKeeper;

/** Requests have no sessions, so a server needs no thread that looks for expired ones. */
final class NoSessions {

  private static final long NEVER_SECONDS = 0;

  private NoSessions() {}

  static void customize(Server server) {
    HouseKeeper houseKeeper = new HouseKeeper();
    try {
      houseKeeper.setIntervalSec(NEVER_SECONDS);
    } catch (Exception e) {
      // Jetty declares the exception for a housekeeper that runs.
      throw new IllegalStateException(e);
    }
    DefaultSessionIdManager sessions = new DefaultSessionIdManager(server);
    sessions.setSessionHouseKeeper(houseKeeper);
    server.addBean(sessions, true);
  }
}
