package io.varve.search.aggregation.format;

/** The formats without parameters. */
public final class Formats {

  public static final ValueFormat RAW = new ValueFormat.Raw();
  public static final ValueFormat TRUTH = new ValueFormat.Truth();
  public static final ValueFormat ADDRESS = new ValueFormat.Address();
  public static final ValueFormat UNSIGNED = new ValueFormat.Unsigned();

  private Formats() {}
}
