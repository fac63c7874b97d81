/** A cluster of one process per service on this machine; processes that exit are restarted. */
@NullMarked
package io.varve.standalone.cluster;

import org.jspecify.annotations.NullMarked;
