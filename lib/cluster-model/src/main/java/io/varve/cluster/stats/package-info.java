/** Statistics that a process reports: machine, JVM, disk, threads, connections. */
@NullMarked
package io.varve.cluster.stats;

import org.jspecify.annotations.NullMarked;
