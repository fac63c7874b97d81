/**
 * Stored fields in blocks of zstd: JSON by columns, with a dictionary trained from the segment's
 * own documents.
 */
@NullMarked
package io.varve.codec;

import org.jspecify.annotations.NullMarked;
