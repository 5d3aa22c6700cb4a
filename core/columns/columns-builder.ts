import { type Columns, columnsOf, SeriesBuilder } from './columns.js';

/** Collects rates of currencies. Those of each currency come by date. */
export class ColumnsBuilder {
  readonly #series = new Map<string, SeriesBuilder>();

  append(quote: string, day: number, rate: number): void {
    let series = this.#series.get(quote);
    if (!series) {
      series = new SeriesBuilder();
      this.#series.set(quote, series);
    }
    series.append(day, rate);
  }

  /** The columns of all rates, with the pivot as `columnsOf` has it. */
  finish(pivot?: string): Columns {
    return columnsOf(
      [...this.#series].map(([quote, series]) => [quote, series.finish()] as const),
      pivot,
    );
  }
}
