/** {@code varve bundle}: collects what a report of a fault needs, without secrets. */
@NullMarked
package io.varve.standalone.bundle;

import org.jspecify.annotations.NullMarked;
