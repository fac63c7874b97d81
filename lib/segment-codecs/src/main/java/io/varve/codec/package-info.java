/**
 * Stored fields compressed with zstd: JSON is stored by columns and compressed with a dictionary
 * that is trained from the segment's documents.
 */
@NullMarked
package io.varve.codec;

import org.jspecify.annotations.NullMarked;
