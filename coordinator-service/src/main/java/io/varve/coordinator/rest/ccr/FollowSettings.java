package io.varve.coordinator.rest.ccr;

import io.varve.cluster.IndexSettings;
import io.varve.control.command.FollowerIndex;
import io.varve.coordinator.rest.SettingsTree;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a follower index from the body of a request. */
final class FollowSettings {

  private FollowSettings() {}

  /**
   * By full names.
   *
   * @throws ApiException 400 unless they may differ from those of a leader index
   */
  static Map<String, @Nullable String> read(Map<String, Object> body) {
    Map<String, @Nullable String> settings =
        switch (body.get("settings")) {
          case Map<?, ?> tree -> IndexSettings.normalize(SettingsTree.flatten(tree));
          case null -> Map.of();
          default ->
              throw new ApiException(ErrorBody.illegalArgument("[settings] must be an object"));
        };
    FollowerIndex.refusedSettings(settings)
        .or(() -> IndexSettings.refusalAtCreation(settings))
        .ifPresent(error -> {
          throw new ApiException(error);
        });
    return settings;
  }
}
