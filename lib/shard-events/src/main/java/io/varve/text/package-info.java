/** Values and words as clients write them. */
@NullMarked
package io.varve.text;

import org.jspecify.annotations.NullMarked;
