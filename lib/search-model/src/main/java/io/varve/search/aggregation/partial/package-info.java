/**
 * What part of an index found: results that merge, in any order, and cross the wire in a packed
 * form.
 */
@NullMarked
package io.varve.search.aggregation.partial;

import org.jspecify.annotations.NullMarked;
