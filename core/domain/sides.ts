/**
 * The prices of a source that publishes both sides of a rate: units of `quote` at which it buys and sells one unit of `base`.
 * The rate is their midpoint, or the source's own middle rate.
 */
export interface Sides {
  buy?: number;
  sell?: number;
}
