import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { type BodyContext, type BodyForm, instantText, statusOf, UNITS } from './body.js';
import {
  AGENCY,
  DATAFLOW,
  DIMENSIONS,
  OBS_STATUS,
  OBS_VALUE,
  TIME_PERIOD,
  UNIT_MULT,
  VERSION,
} from './dataflow.js';
import { timePeriod } from './periods.js';
import type { Series } from './series.js';
import { codesOf } from './series-key.js';

/** SDMX-CSV 1.0 and 2.0, and the CSV of the ECB. */
export type CsvVersion = 'csv' | 'csv-2' | 'ecb-csv';

const FLOW = `${AGENCY}:${DATAFLOW}(${VERSION})`;
const REPLACE = 'Replace';

/**
 * Writes a row for each observation, or for each series if no observations are wanted. No value contains a comma or a quote.
 */
export function csvForm(version: CsvVersion, context: BodyContext): BodyForm {
  const { hasObservations, hasAttributes } = context;
  const isHistory = context.isHistory && hasObservations;
  // Version 2 always has a column for the action.
  const hasAction = isHistory && version !== 'csv-2';
  const columns = [
    ...LEADING[version].columns,
    ...DIMENSIONS.map(({ id }) => id),
    ...(hasObservations ? [TIME_PERIOD.id, OBS_VALUE.id] : []),
    ...(hasObservations && hasAttributes ? [OBS_STATUS.id] : []),
    ...(hasAttributes ? [UNIT_MULT.id] : []),
    ...(hasAction ? ['ACTION'] : []),
    ...(isHistory ? ['VALID_FROM', 'VALID_TO'] : []),
  ];
  const units = hasAttributes ? `,${UNITS}` : '';

  function* rowsOf(series: Series): Generator<string> {
    const codes = codesOf(series.key);
    const leading = [...LEADING[version].cells(codes, isHistory), ...codes].join();
    if (!hasObservations) {
      yield `${leading}${units}\n`;
      return;
    }
    const { key, days, values } = series;
    for (let index = 0; index < days.length; index++) {
      const status = hasAttributes ? `,${statusOf(series, index)}` : '';
      const time = timePeriod(key.frequency, days[index] ?? 0);
      yield `${leading},${time},${plainDecimal(values[index] ?? Number.NaN)}${status}${units}${hasAction ? `,${REPLACE}` : ''}${validityCells(series, index)}\n`;
    }
  }

  return { opening: `${columns.join()}\n`, series: rowsOf, closing: '' };
}

/** The columns before those of the dimensions. */
const LEADING: Record<
  CsvVersion,
  { columns: readonly string[]; cells(codes: readonly string[], isHistory: boolean): readonly string[] }
> = {
  csv: { columns: ['DATAFLOW'], cells: () => [FLOW] },
  'csv-2': {
    columns: ['STRUCTURE', 'STRUCTURE_ID', 'ACTION'],
    cells: (_, isHistory) => ['dataflow', FLOW, isHistory ? 'R' : 'I'],
  },
  'ecb-csv': { columns: ['KEY'], cells: (codes) => [`${DATAFLOW}.${codes.join('.')}`] },
};

function validityCells({ validFrom, validTo }: Series, index: number): string {
  if (!validFrom || !validTo) return '';
  const to = validTo[index] ?? 0;
  return `,${instantText(validFrom[index] ?? 0)},${to === 0 ? '' : instantText(to)}`;
}
