/** What a process tells of itself: its machine, its JVM, its disk, its threads, its connections. */
@NullMarked
package io.varve.cluster.figures;

import org.jspecify.annotations.NullMarked;
