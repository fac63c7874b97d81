/** The mapping of an index: fields, types, parameters, and how a mapping may change. */
@NullMarked
package io.varve.search.mapping;

import org.jspecify.annotations.NullMarked;
