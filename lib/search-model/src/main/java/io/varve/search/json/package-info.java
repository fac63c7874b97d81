/** JSON values that remember their position, so that error texts can name it. */
@NullMarked
package io.varve.search.json;

import org.jspecify.annotations.NullMarked;
