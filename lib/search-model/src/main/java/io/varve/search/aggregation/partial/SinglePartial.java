package io.varve.search.aggregation.partial;

/** The result of a single bucket. */
public record SinglePartial(long docCount, Partials children) implements Partial {

  @Override
  public SinglePartial merge(Partial partial) {
    SinglePartial other = (SinglePartial) partial;
    return new SinglePartial(docCount + other.docCount, children.merge(other.children));
  }

  @Override
  public void write(PartialWriter out) {
    out.count(docCount);
    children.write(out);
  }

  static SinglePartial read(PartialReader in) {
    return new SinglePartial(in.count(), Partials.read(in));
  }
}
