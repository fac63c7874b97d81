package io.varve.coordinator.rest.ccr;

import static io.varve.rest.JsonObjects.object;

import io.varve.rpc.CopyRecovery;
import java.util.List;
import java.util.Map;

/**
 * The files that the primaries of a follower copy from its leader, as {@code bootstrap_details} of
 * OpenSearch: sums over the shards.
 */
final class BootstrapDetails {

  private BootstrapDetails() {}

  /**
   * @param recoveries those of replicas are left out
   */
  static Map<String, Object> of(List<CopyRecovery> recoveries) {
    List<CopyRecovery> primaries = recoveries.stream().filter(CopyRecovery::primary).toList();
    List<CopyRecovery.File> files =
        primaries.stream().flatMap(recovery -> recovery.files().stream()).toList();
    long bytes = files.stream().mapToLong(CopyRecovery.File::lengthBytes).sum();
    long recovered =
        files.stream().mapToLong(file -> file.reused() ? file.lengthBytes() : got(file)).sum();
    long whole =
        files.stream().filter(file -> file.reused() || got(file) >= file.lengthBytes()).count();
    return object(
        "bytes_total", bytes,
        "bytes_recovered", recovered,
        "bytes_percent", percent(recovered, bytes),
        "files_total", files.size(),
        "files_recovered", whole,
        "files_percent", percent(whole, files.size()),
        "start_time", primaries.stream().mapToLong(r -> r.times().startMillis()).min().orElse(0),
        "running_time", primaries.stream().mapToLong(r -> r.times().indexMillis()).max().orElse(0));
  }

  private static long got(CopyRecovery.File file) {
    return Math.min(file.recoveredBytes(), file.lengthBytes());
  }

  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * (double) part / (double) whole;
  }
}
