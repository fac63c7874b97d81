/** Queries as a tree, the hits that a request asks for, and their parsers. */
@NullMarked
package io.varve.search.query;

import org.jspecify.annotations.NullMarked;
