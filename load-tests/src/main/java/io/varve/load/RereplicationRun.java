package io.varve.load;

/**
 * One job.
 *
 * @param checked records
 * @param maxPerSecond the highest rate within a second
 * @param durations of the queries to copies
 * @param cpuSeconds of all processes, including the broker
 */
record RereplicationRun(
    long checked,
    double seconds,
    double maxPerSecond,
    PowerOfTwoHistogram durations,
    double cpuSeconds) {}
