/** Analyzers, normalizers and their parts, built from index settings on top of Lucene. */
@NullMarked
package io.varve.analysis;

import org.jspecify.annotations.NullMarked;
