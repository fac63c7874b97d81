/**
 * The services as separate processes on this machine, each to be killed and to come back by itself.
 */
@NullMarked
package io.varve.standalone.cluster;

import org.jspecify.annotations.NullMarked;
