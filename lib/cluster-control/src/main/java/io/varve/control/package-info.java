/** The leading coordinator: election, membership, and the writer of the cluster log. */
@NullMarked
package io.varve.control;

import org.jspecify.annotations.NullMarked;
