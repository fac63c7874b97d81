package io.varve.coordinator.follow;

import io.varve.events.Json;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the statistics of auto-follow to other coordinators, which ask the leading one. */
@RestController
final class AutoFollowStatsEndpoint {

  private final FollowedClusters followed;

  AutoFollowStatsEndpoint(FollowedClusters followed) {
    this.followed = followed;
  }

  @GetMapping(path = "/_internal/ccr/auto_follow", produces = MediaType.APPLICATION_JSON_VALUE)
  byte[] stats() {
    return Json.write(followed.autoFollowStats());
  }
}
