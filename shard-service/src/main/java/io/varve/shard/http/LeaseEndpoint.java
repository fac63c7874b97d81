package io.varve.shard.http;

import io.varve.host.ShardCopy;
import io.varve.host.http.ShardEndpoint;
import io.varve.http.internal.Bodies;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.shard.retention.FollowerLeases;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@code GET leases}: the following clusters that retain the shard's operations in the log. */
public final class LeaseEndpoint implements ShardEndpoint {

  private final FollowerLeases leases;

  public LeaseEndpoint(FollowerLeases leases) {
    this.leases = leases;
  }

  @Override
  public void handle(
      ShardCopy copy, String rest, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    try {
      Bodies.sendJson(response, leases.of(copy.shard()));
    } catch (LogException e) {
      throw new ApiException(
          503,
          "unavailable_shards_exception",
          "the leases on " + copy.shard() + " are not known: " + e.getMessage());
    }
  }
}
