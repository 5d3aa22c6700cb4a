import type { PublishedFigure, ReadFigures } from '../../../core/database/bulk/published-figures.js';
import type { Clock } from '../../../core/domain/clock.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { storeUnavailable } from '../../http/errors.js';
import type { RatesView } from '../engine/rates-view.js';
import { currenciesOf, type DataQuery, daysOf, denominatorsOf, frequenciesOf } from './data-query.js';
import { SeriesColumns, type SeriesReader } from './series.js';
import { isSelected, type SeriesKey } from './series-key.js';

/** Reads each figure published, including replaced ones, into columns. Throws an HttpError 503 without the database. */
export async function readHistory(
  query: DataQuery,
  view: RatesView,
  { readFigures, clock }: { readFigures: ReadFigures; clock: Clock },
): Promise<SeriesReader> {
  const [provider] = query.providers ?? [];
  const series: SeriesColumns[] = [];
  if (provider === undefined || !frequenciesOf(query).includes('D')) return () => [];
  const take = (figure: PublishedFigure) => {
    const { base: denominator, quote: currency } = figure;
    const key: SeriesKey = { frequency: 'D', currency, denominator, type: 'SP00', suffix: 'A' };
    if (!query.keys.some((selection) => isSelected(selection, key))) return;
    if (figure.recordedAt <= (query.updatedAfter ?? 0)) return;
    const last = series.at(-1);
    const isSame = last?.key.currency === currency && last.key.denominator === denominator;
    const columns = isSame ? last : new SeriesColumns(key);
    if (!isSame) series.push(columns);
    columns.append(figure.day, roundForStorage(figure.rate), figure.isLeftOut, {
      from: figure.recordedAt,
      to: figure.replacedAt,
    });
  };
  const selection = {
    provider,
    bases: denominatorsOf(query),
    quotes: currenciesOf(query),
    ...daysOf(query, clock),
    knownAt: view.knownAt,
  };
  await readFigures(selection, take).catch(storeUnavailable);
  const finished = series.map((columns) => columns.finish(query));
  return () => finished;
}
