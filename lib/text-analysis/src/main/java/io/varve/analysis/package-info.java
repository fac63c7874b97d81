/** Analyzers, normalizers and their parts: from an index's settings to Lucene's token streams. */
@NullMarked
package io.varve.analysis;

import org.jspecify.annotations.NullMarked;
