package io.varve.coordinator.rest.byquery;

import io.varve.events.Json;
import io.varve.events.MalformedRecordException;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.RereplicationPosition;
import java.util.Base64;
import java.util.Map;

/**
 * The position at which a re-replication job stopped, so that another job can continue there.
 *
 * @param shards by number; shards that the job had not begun are omitted
 */
record ResumeToken(String indexUuid, String method, Map<String, RereplicationPosition> shards) {

  ResumeToken {
    shards = Map.copyOf(shards);
  }

  String encode() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.write(this));
  }

  /**
   * @throws ApiException 400 if it is no token of that method on that index
   */
  static ResumeToken decode(String text, String indexUuid, String method) {
    ResumeToken token;
    try {
      token = Json.read(Base64.getUrlDecoder().decode(text), ResumeToken.class);
    } catch (IllegalArgumentException | MalformedRecordException e) {
      throw refused("is not a token of an earlier job");
    }
    if (!token.indexUuid().equals(indexUuid)) {
      throw refused("is a token of another index");
    }
    if (!token.method().equals(method)) {
      throw refused("is a token of method [" + token.method() + "]");
    }
    return token;
  }

  private static ApiException refused(String reason) {
    return new ApiException(ErrorBody.illegalArgument("[resume] " + reason));
  }

  RereplicationPosition at(int shard) {
    return shards.getOrDefault(Integer.toString(shard), RereplicationPosition.START);
  }
}
