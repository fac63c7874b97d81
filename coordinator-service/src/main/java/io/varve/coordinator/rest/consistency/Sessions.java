package io.varve.coordinator.rest.consistency;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.events.SessionToken;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;

/**
 * Returns session tokens to clients: the union of the token that the client sent and the writes of
 * its request. A client sends the newest token that it received.
 *
 * <p>The size of a token is limited. If it is exceeded, entries are dropped in this order: first
 * shards of indices that this coordinator does not know (deleted or very new), then the shards with
 * the oldest writes. A warning header reports the latter.
 */
public final class Sessions {

  private final ClusterAccess cluster;

  public Sessions(ClusterAccess cluster) {
    this.cluster = cluster;
  }

  /** Sets the token of the response, unless the token is empty. */
  public void answer(RestResponder responder, SessionToken asked, SessionToken written) {
    SessionToken union = asked.plus(written);
    if (union.isEmpty()) {
      return;
    }
    SessionToken token = limited(union);
    if (token.size()
        < union.ofIndices(uuid -> cluster.newestState().index(uuid).isPresent()).size()) {
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
    ClusterState state = cluster.newestState();
    int most =
        Integer.parseInt(
            String.valueOf(ClusterSettings.value(state, ClusterSettings.SESSION_SHARDS)));
    return union.size() <= most
        ? union
        : union.ofIndices(uuid -> state.index(uuid).isPresent()).newest(most);
  }
}
