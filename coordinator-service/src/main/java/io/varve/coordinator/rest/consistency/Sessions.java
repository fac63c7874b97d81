package io.varve.coordinator.rest.consistency;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.SessionToken;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;

/**
 * Hands clients the token of what they wrote: the union of the one that they sent and of what they
 * write now. A client sends the newest one that it was given.
 *
 * <p>A token has a limit. What passes it goes in this order: shards of indices that are not there
 * (deleted, or so new that this coordinator has not heard of them), then those written longest ago,
 * of which a warning tells.
 */
public final class Sessions {

  private final ClusterAccess cluster;

  public Sessions(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /** Puts the token into the answer; nothing where there is none. */
  public void answer(RestResponder responder, SessionToken asked, SessionToken written) {
    SessionToken union = asked.plus(written);
    if (union.isEmpty()) {
      return;
    }
    SessionToken token = limited(union);
    if (token.size() < union.ofIndices(uuid -> cluster.state().index(uuid).isPresent()).size()) {
      responder.warning(
          "["
              + RestRequest.SESSION
              + "] names only the "
              + token.size()
              + " shards that were written last");
    }
    responder.header(RestRequest.SESSION, token.text());
  }

  private SessionToken limited(SessionToken union) {
    ClusterState state = cluster.state();
    int most =
        Integer.parseInt(
            String.valueOf(ClusterSettings.value(state, ClusterSettings.SESSION_SHARDS)));
    return union.size() <= most
        ? union
        : union.ofIndices(uuid -> state.index(uuid).isPresent()).newest(most);
  }
}
