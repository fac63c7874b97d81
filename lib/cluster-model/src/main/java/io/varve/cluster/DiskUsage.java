package io.varve.cluster;

/** The disk of a node's data folder, from the node's last heartbeat. */
public record DiskUsage(long totalBytes, long freeBytes) {

  public DiskUsage {
    if (totalBytes <= 0 || freeBytes < 0) {
      throw new IllegalArgumentException("a disk of " + totalBytes + " bytes, free " + freeBytes);
    }
  }

  public double usedPercent() {
    return 100.0 * (totalBytes - freeBytes) / totalBytes;
  }

  public double freePercent() {
    return 100.0 * freeBytes / totalBytes;
  }
}
