import { dayNumber } from '../../../core/domain/dates.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import { type BodyContext, type BodyForm, instantText, statusOf, UNITS } from './body.js';
import { AGENCY, DATAFLOW, DIMENSIONS, VERSION } from './dataflow.js';
import { jsonForm } from './json.js';
import type { DataBody } from './media-types.js';
import { timePeriod } from './periods.js';
import type { Series, SeriesReader } from './series.js';
import { codesOf } from './series-key.js';
import { headerXml, namespaces, XML_DECLARATION } from './xml.js';

type MakeForm = (context: BodyContext, read: SeriesReader) => BodyForm | Promise<BodyForm>;

export const FORMS: Readonly<Record<DataBody, MakeForm>> = {
  'generic-xml': genericXmlForm,
  json: (context, read) => jsonForm('json', context, read),
  'draft-json': (context, read) => jsonForm('draft-json', context, read),
  csv: (context) => csvForm('csv', context),
  'csv-2': (context) => csvForm('csv-2', context),
  'ecb-csv': (context) => csvForm('ecb-csv', context),
};

const SERIES: Series = {
  key: { frequency: 'D', currency: 'USD', denominator: 'EUR', type: 'SP00', suffix: 'A' },
  days: Int32Array.of(dayNumber('2026-03-17')),
  values: Float64Array.of(1.1498),
  suspects: Uint8Array.of(0),
};
const CONTEXT: BodyContext = {
  id: 'V4711',
  prepared: '2026-03-17T16:02:11Z',
  hasObservations: true,
  hasAttributes: true,
  isHistory: false,
};

export async function exampleOf(body: DataBody): Promise<unknown> {
  const { opening, series, closing } = await FORMS[body](CONTEXT, () => [SERIES]);
  const text = opening + [...series(SERIES)].join('') + closing;
  return body.endsWith('json') ? JSON.parse(text) : text;
}

/** SDMX-CSV 1.0 and 2.0, and the CSV of the ECB. */
type CsvVersion = 'csv' | 'csv-2' | 'ecb-csv';

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

/** Generic data of SDMX-ML 2.1. No value needs escaping: all are codes, numbers, periods and instants. */
function genericXmlForm({ hasObservations, hasAttributes, ...header }: BodyContext): BodyForm {
  const structure =
    `<m:Structure structureID="${DATAFLOW}" dimensionAtObservation="TIME_PERIOD"><c:Structure>` +
    `<Ref agencyID="${AGENCY}" id="${DATAFLOW}" version="${VERSION}"/></c:Structure></m:Structure>`;
  const attributes = (name: string, code: string) =>
    hasAttributes ? `<g:Attributes>${valueElement(name, code)}</g:Attributes>` : '';
  const ofSeries = attributes('UNIT_MULT', UNITS);
  const ofStatus = { A: attributes('OBS_STATUS', 'A'), U: attributes('OBS_STATUS', 'U') };

  function* piecesOf(series: Series): Generator<string> {
    const { key, days, values } = series;
    const codes = codesOf(key);
    const ids = DIMENSIONS.map((dimension, index) => valueElement(dimension.id, codes[index] ?? ''));
    yield `<g:Series><g:SeriesKey>${ids.join('')}</g:SeriesKey>${ofSeries}`;
    for (let index = 0; hasObservations && index < days.length; index++) {
      const time = timePeriod(key.frequency, days[index] ?? 0);
      yield `<g:Obs><g:ObsDimension value="${time}"/><g:ObsValue value="${plainDecimal(values[index] ?? Number.NaN)}"/>${ofStatus[statusOf(series, index)]}</g:Obs>`;
    }
    yield '</g:Series>';
  }

  return {
    opening:
      `${XML_DECLARATION}\n<m:GenericData${namespaces('m', 'c', 'g')}>${headerXml(header, structure)}` +
      `<m:DataSet structureRef="${DATAFLOW}" action="Information">`,
    series: piecesOf,
    closing: '</m:DataSet></m:GenericData>',
  };
}

function valueElement(id: string, value: string): string {
  return `<g:Value id="${id}" value="${value}"/>`;
}
