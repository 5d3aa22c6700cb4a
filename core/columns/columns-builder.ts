import { type Columns, columnsOf, SeriesBuilder } from './columns.js';

/** Collects rates of currencies. The rates of each currency must arrive in order of date. */
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

  /** The columns of all collected rates, with the pivot as in `columnsOf`. */
  finish(pivot?: string): Columns {
    return columnsOf(
      [...this.#series].map(([quote, series]) => [quote, series.finish()] as const),
      pivot,
    );
  }
}
