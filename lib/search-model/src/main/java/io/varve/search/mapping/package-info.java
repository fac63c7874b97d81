/** What an index knows of its fields: types, parameters, and how they may change. */
@NullMarked
package io.varve.search.mapping;

import org.jspecify.annotations.NullMarked;
