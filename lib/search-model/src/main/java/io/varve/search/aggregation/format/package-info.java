/** How the values of a field are written as text. */
@NullMarked
package io.varve.search.aggregation.format;

import org.jspecify.annotations.NullMarked;
