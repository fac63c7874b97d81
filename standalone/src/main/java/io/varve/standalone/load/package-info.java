/**
 * {@code varve load}: indexes the documents of a file, with progress and an account of refusals.
 */
@NullMarked
package io.varve.standalone.load;

import org.jspecify.annotations.NullMarked;
