package io.varve.testkit.selection;

import io.varve.selection.SelectionSettings;

/**
 * A simulated cluster: nodes of equal size, shards with two copies on adjacent nodes, clients that
 * search all shards and pause between two searches.
 *
 * @param size nodes, workers, shards, clients, coordinators
 * @param thinkMillis mean pause between two searches of a client, 0 to saturate the cluster
 * @param serviceMillis mean execution time of a shard request on a healthy node
 * @param logNormal sigma of execution times; exponential if 0
 * @param settings of the coordinators
 */
public record Setup(
    Size size,
    double thinkMillis,
    double serviceMillis,
    double logNormal,
    SelectionSettings settings) {

  /**
   * Counts.
   *
   * @param nodes each holds a copy of shard i and one of shard i − 1
   * @param workers requests that a node executes concurrently
   */
  public record Size(int nodes, int workers, int shards, int clients, int coordinators) {
    public static final Size SOURCE = new Size(5, 16, 5, 100, 1);

    public Size withCoordinators(int count) {
      return new Size(nodes, workers, shards, clients, count);
    }
  }

  /** The experiment in the source of the model: 95.8 searches per second, without pauses. */
  public static Setup saturated(SelectionSettings settings) {
    return new Setup(Size.SOURCE, 0, 167, 0, settings);
  }

  /** The same cluster at 65 % load. */
  public static Setup moderate(SelectionSettings settings) {
    return new Setup(Size.SOURCE, 1200, 167, 0, settings);
  }

  public static Setup light(SelectionSettings settings) {
    return new Setup(Size.SOURCE, 5000, 167, 0, settings);
  }

  public Setup withCoordinators(int count) {
    return new Setup(size.withCoordinators(count), thinkMillis, serviceMillis, logNormal, settings);
  }

  public Setup withSize(Size other) {
    return new Setup(other, thinkMillis, serviceMillis, logNormal, settings);
  }

  public Setup withThinkMillis(double millis) {
    return new Setup(size, millis, serviceMillis, logNormal, settings);
  }

  public Setup withServiceMillis(double millis) {
    return new Setup(size, thinkMillis, millis, logNormal, settings);
  }

  public Setup withLogNormal(double sigma) {
    return new Setup(size, thinkMillis, serviceMillis, sigma, settings);
  }

  public Setup with(SelectionSettings other) {
    return new Setup(size, thinkMillis, serviceMillis, logNormal, other);
  }
}
