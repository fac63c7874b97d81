/** The answer: partial results finished, pipelines applied, written as JSON. */
@NullMarked
package io.varve.search.aggregation.result;

import org.jspecify.annotations.NullMarked;
