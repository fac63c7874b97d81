package io.varve.rest;

/** The type of a parameter, derived from how an endpoint reads it. */
public enum ParameterKind {
  TEXT,
  FLAG,
  INTEGER,
  LONG,
  TIME,
  LIST
}
