/** What a search asks for: queries as a tree, and how they are read. */
@NullMarked
package io.varve.search.query;

import org.jspecify.annotations.NullMarked;
