/** JSON that remembers where it stood, so that a refusal can name the place. */
@NullMarked
package io.varve.search.json;

import org.jspecify.annotations.NullMarked;
