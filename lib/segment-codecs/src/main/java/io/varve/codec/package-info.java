/**
 * Stored fields compressed with zstd: JSON is stored by columns, with a dictionary trained from the
 * segment's documents.
 */
@NullMarked
package io.varve.codec;

import org.jspecify.annotations.NullMarked;
