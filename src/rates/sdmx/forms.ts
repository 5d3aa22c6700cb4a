import { dayNumber } from '../../../core/domain/dates.js';
import { plainDecimal } from '../../../core/domain/rounding.js';
import {
  type BodyContext,
  type BodyForm,
  headerXml,
  instantText,
  namespaces,
  statusOf,
  UNITS,
  XML_DECLARATION,
} from './body.js';
import { AGENCY, type Component, DATAFLOW, DIMENSIONS, OBS_STATUS, UNIT_MULT, VERSION } from './dataflow.js';
import type { DataBody } from './media-types.js';
import { timePeriod } from './periods.js';
import { codesOf, observationsAt, type Series, type SeriesReader } from './series.js';

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

/** SDMX-JSON 1.0, and the draft before it, which has `header` instead of `meta` and no `data`. */
type JsonVersion = 'json' | 'draft-json';

/** Lists codes and periods before the series, which contain their indices. The series are therefore read twice. */
export async function jsonForm(
  version: JsonVersion,
  context: BodyContext,
  read: SeriesReader,
): Promise<BodyForm> {
  const found = await valuesOf(read);
  const { id, prepared, hasObservations, hasAttributes } = context;
  const meta = { id, prepared, test: false, sender: { id: AGENCY } };
  const structure = structureOf(found, context);
  const [opening, closing] =
    version === 'json'
      ? [`{"meta":${JSON.stringify(meta)},"data":{"structure":${structure}`, '}}']
      : [`{"header":${JSON.stringify(meta)},"structure":${structure}`, '}'];
  const indices = found.codes.map(indexed);
  const [times, statuses] = [indexed(found.times), indexed(found.statuses)];
  let dataSet: string | undefined;
  let isFirst = true;

  /** The text before a series: the beginning of its data set. A history has one data set for each validity. */
  function before(series: Series): string {
    const own = dataSetOf(series);
    const isSame = own === dataSet;
    const end = isFirst ? '' : isSame ? ',' : '}},';
    isFirst = false;
    dataSet = own;
    return isSame ? end : `${end}${own}`;
  }

  function* piecesOf(series: Series): Generator<string> {
    const { key, days, values } = series;
    const name = codesOf(key).map((code, index) => indices[index]?.get(code) ?? 0);
    yield `${before(series)}"${name.join(':')}":{${hasAttributes ? '"attributes":[0]' : ''}`;
    for (let index = 0; hasObservations && index < days.length; index++) {
      const separator = index > 0 ? ',' : `${hasAttributes ? ',' : ''}"observations":{`;
      const status = hasAttributes ? `,${statuses.get(statusOf(series, index)) ?? 0}` : '';
      const time = times.get(timePeriod(key.frequency, days[index] ?? 0));
      yield `${separator}"${time}":[${values[index]}${status}]`;
    }
    yield hasObservations ? '}}' : '}';
  }

  return { opening: `${opening},"dataSets":[`, series: piecesOf, closing: `}}]${closing}` };
}

function dataSetOf({ validFrom, validTo }: Series): string {
  if (!validFrom || !validTo) return '{"action":"Information","links":[],"series":{';
  const [from = 0, to = 0] = [validFrom[0], validTo[0]];
  const until = to === 0 ? '' : `,"validTo":"${instantText(to)}"`;
  return `{"action":"Replace","validFrom":"${instantText(from)}"${until},"links":[],"series":{`;
}

type Values = Awaited<ReturnType<typeof valuesOf>>;

/** Lists the codes of each dimension, the periods and the statuses of all series, each in order. */
async function valuesOf(read: SeriesReader) {
  const codes = DIMENSIONS.map(() => new Set<string>());
  const [times, statuses] = [new Set<string>(), new Set<string>()];
  for await (const { key, days, suspects } of read()) {
    for (const [index, code] of codesOf(key).entries()) codes[index]?.add(code);
    for (const day of days) times.add(timePeriod(key.frequency, day));
    if (suspects.includes(0)) statuses.add('A');
    if (suspects.includes(1)) statuses.add('U');
  }
  const sorted = (found: ReadonlySet<string>) => [...found].sort();
  return { codes: codes.map(sorted), times: sorted(times), statuses: sorted(statuses) };
}

function indexed(values: readonly string[]): Map<string, number> {
  return new Map(values.map((value, index) => [value, index]));
}

function structureOf({ codes, times, statuses }: Values, { hasObservations, hasAttributes }: BodyContext) {
  const ofSeries = { id: UNIT_MULT.id, relationship: { none: {} }, values: named([UNITS], UNIT_MULT) };
  const ofObservation = {
    id: OBS_STATUS.id,
    relationship: { primaryMeasure: 'OBS_VALUE' },
    values: named(statuses, OBS_STATUS),
  };
  return JSON.stringify({
    dimensions: {
      series: DIMENSIONS.map((dimension, keyPosition) => ({
        id: dimension.id,
        keyPosition,
        values: named(codes[keyPosition] ?? [], dimension),
      })),
      observation: [
        {
          id: 'TIME_PERIOD',
          keyPosition: DIMENSIONS.length,
          values: hasObservations ? times.map((time) => ({ id: time, name: time })) : [],
        },
      ],
    },
    attributes: {
      series: hasAttributes ? [ofSeries] : [],
      observation: hasAttributes && hasObservations ? [ofObservation] : [],
    },
  });
}

function named(values: readonly string[], { codelist: { codes } }: Component) {
  return values.map((id) => ({ id, name: codes.get(id) ?? id }));
}

/** Groups series by the validity of their observations, oldest first, as each validity is a data set. */
export function byValidity(read: SeriesReader): SeriesReader {
  return async function* () {
    const dataSets = new Map<string, { from: number; to: number; series: Map<Series, number[]> }>();
    for await (const series of read()) {
      const { validFrom = [], validTo = [] } = series;
      for (const index of series.days.keys()) {
        const [from = 0, to = 0] = [validFrom[index], validTo[index]];
        const dataSet = dataSets.get(`${from} ${to}`) ?? { from, to, series: new Map<Series, number[]>() };
        dataSets.set(`${from} ${to}`, dataSet);
        const indices = dataSet.series.get(series) ?? [];
        dataSet.series.set(series, indices);
        indices.push(index);
      }
    }
    // Observations that are still valid come after replaced ones.
    const inOrder = [...dataSets.values()].sort(
      (one, other) => one.from - other.from || (one.to || Infinity) - (other.to || Infinity),
    );
    for (const dataSet of inOrder)
      for (const [series, indices] of dataSet.series) yield observationsAt(series, indices);
  };
}
