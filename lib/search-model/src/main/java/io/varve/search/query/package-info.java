/** Trees of queries, the options of requested hits, and their parsers. */
@NullMarked
package io.varve.search.query;

import org.jspecify.annotations.NullMarked;
