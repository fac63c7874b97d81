/** What is asked about fields and text: mappings of fields, capabilities, analysis. */
@NullMarked
package io.varve.coordinator.rest.mapping;

import org.jspecify.annotations.NullMarked;
