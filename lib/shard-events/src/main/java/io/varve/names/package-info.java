/** Matching of names against patterns, shared by all modules. */
@NullMarked
package io.varve.names;

import org.jspecify.annotations.NullMarked;
