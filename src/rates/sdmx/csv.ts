import { plainDecimal } from '../../../core/domain/plain-decimal.js';
import { type BodyContext, type BodyForm, instantText, statusOf, UNITS } from './body.js';
import { AGENCY, DATAFLOW, DIMENSIONS, VERSION } from './dataflow.js';
import { timePeriod } from './periods.js';
import type { Series } from './series.js';
import { codesOf } from './series-key.js';

/** SDMX-CSV 1.0 and 2.0, and the CSV of the ECB. */
export type CsvVersion = 'csv' | 'csv-2' | 'ecb-csv';

const FLOW = `${AGENCY}:${DATAFLOW}(${VERSION})`;

/** Writes a row for each observation, or else each series. No value contains a comma or a quote. */
export function csvForm(version: CsvVersion, context: BodyContext): BodyForm {
  const { hasObservations, hasAttributes } = context;
  const isHistory = context.isHistory && hasObservations;
  // Version 2 always has a column for the action.
  const action = isHistory && version !== 'csv-2' ? ',Replace' : '';
  const columns = [
    LEADING[version],
    ...DIMENSIONS.map(({ id }) => id),
    ...(hasObservations ? ['TIME_PERIOD', 'OBS_VALUE'] : []),
    ...(hasObservations && hasAttributes ? ['OBS_STATUS'] : []),
    ...(hasAttributes ? ['UNIT_MULT'] : []),
    ...(action ? ['ACTION'] : []),
    ...(isHistory ? ['VALID_FROM', 'VALID_TO'] : []),
  ];
  const units = hasAttributes ? `,${UNITS}` : '';

  function* rowsOf(series: Series): Generator<string> {
    const codes = codesOf(series.key);
    const leading = `${leadingCells(version, codes, isHistory)},${codes.join()}`;
    if (!hasObservations) {
      yield `${leading}${units}\n`;
      return;
    }
    const { key, days, values } = series;
    for (let index = 0; index < days.length; index++) {
      const status = hasAttributes ? `,${statusOf(series, index)}` : '';
      const time = timePeriod(key.frequency, days[index] ?? 0);
      yield `${leading},${time},${plainDecimal(values[index] ?? Number.NaN)}${status}${units}${action}${validityCells(series, index)}\n`;
    }
  }

  return { opening: `${columns.join()}\n`, series: rowsOf, closing: '' };
}

/** The columns before those of the dimensions. */
const LEADING = { csv: 'DATAFLOW', 'csv-2': 'STRUCTURE,STRUCTURE_ID,ACTION', 'ecb-csv': 'KEY' };

function leadingCells(version: CsvVersion, codes: readonly string[], isHistory: boolean): string {
  if (version === 'csv') return FLOW;
  return version === 'csv-2' ? `dataflow,${FLOW},${isHistory ? 'R' : 'I'}` : [DATAFLOW, ...codes].join('.');
}

function validityCells({ validFrom, validTo }: Series, index: number): string {
  if (!validFrom || !validTo) return '';
  const to = validTo[index] ?? 0;
  return `,${instantText(validFrom[index] ?? 0)},${to === 0 ? '' : instantText(to)}`;
}
