package io.varve.shard.replicated;

import java.io.IOException;

/**
 * The release of another copy's process does not have an endpoint. This does not change while the
 * process runs.
 */
final class NoSuchEndpointException extends IOException {

  private static final long serialVersionUID = 1L;

  NoSuchEndpointException(Member member, String endpoint) {
    super(
        "the process of copy %s has no endpoint [%s]: it is of an older release"
            .formatted(member.copyId(), endpoint));
  }
}
