package io.varve.coordinator.rest.document;

import io.varve.client.CopyAddress;

/** A copy that is the primary in a term. */
record PrimaryTarget(CopyAddress copy, long term) {}
