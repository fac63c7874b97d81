/** JSON values with their position in the body, which error texts contain. */
@NullMarked
package io.varve.search.json;

import org.jspecify.annotations.NullMarked;
