/** Spring configuration of a node that holds copies: properties, wiring, metrics. */
@NullMarked
package io.varve.host.spring;

import org.jspecify.annotations.NullMarked;
