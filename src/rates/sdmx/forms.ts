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
import { codesOf, type Observation, Series, type SeriesKey, type SeriesReader } from './series.js';

type MakeForm = (context: BodyContext, read: SeriesReader) => BodyForm | Promise<BodyForm>;

export const FORMS: Readonly<Record<DataBody, MakeForm>> = {
  'generic-xml': genericXmlForm,
  json: (context, read) => jsonForm('json', context, read),
  'draft-json': (context, read) => jsonForm('draft-json', context, read),
  csv: (context) => csvForm('csv', context),
  'csv-2': (context) => csvForm('csv-2', context),
  'ecb-csv': (context) => csvForm('ecb-csv', context),
};

const SERIES = new Series({
  FREQ: 'D',
  CURRENCY: 'USD',
  CURRENCY_DENOM: 'EUR',
  EXR_TYPE: 'SP00',
  EXR_SUFFIX: 'A',
});
SERIES.append({ day: dayNumber('2026-03-17'), value: 1.1498, isSuspect: false });
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
    for (const one of series.observations()) {
      const status = hasAttributes ? `,${statusOf(one)}` : '';
      const time = timePeriod(series.key.FREQ, one.day);
      yield `${leading},${time},${plainDecimal(one.value)}${status}${units}${action}${validityCells(one)}\n`;
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

function validityCells({ validity }: Observation): string {
  if (!validity) return '';
  return `,${instantText(validity.from)},${validity.to === 0 ? '' : instantText(validity.to)}`;
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
    const codes = codesOf(series.key);
    const ids = DIMENSIONS.map((dimension, index) => valueElement(dimension.id, codes[index] ?? ''));
    yield `<g:Series><g:SeriesKey>${ids.join('')}</g:SeriesKey>${ofSeries}`;
    for (const one of hasObservations ? series.observations() : []) {
      const time = timePeriod(series.key.FREQ, one.day);
      yield `<g:Obs><g:ObsDimension value="${time}"/><g:ObsValue value="${plainDecimal(one.value)}"/>${ofStatus[statusOf(one)]}</g:Obs>`;
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
    const name = codesOf(series.key).map((code, index) => indices[index]?.get(code) ?? 0);
    yield `${before(series)}"${name.join(':')}":{${hasAttributes ? '"attributes":[0]' : ''}`;
    let separator = `${hasAttributes ? ',' : ''}"observations":{`;
    for (const one of hasObservations ? series.observations() : []) {
      const status = hasAttributes ? `,${statuses.get(statusOf(one)) ?? 0}` : '';
      yield `${separator}"${times.get(timePeriod(series.key.FREQ, one.day))}":[${one.value}${status}]`;
      separator = ',';
    }
    yield hasObservations ? '}}' : '}';
  }

  return { opening: `${opening},"dataSets":[`, series: piecesOf, closing: `}}]${closing}` };
}

function dataSetOf(series: Series): string {
  const [{ validity = undefined } = {}] = series.observations();
  if (!validity) return '{"action":"Information","links":[],"series":{';
  const until = validity.to === 0 ? '' : `,"validTo":"${instantText(validity.to)}"`;
  return `{"action":"Replace","validFrom":"${instantText(validity.from)}"${until},"links":[],"series":{`;
}

type Values = Awaited<ReturnType<typeof valuesOf>>;

/** Lists the codes of each dimension, the periods and the statuses of all series, each in order. */
async function valuesOf(read: SeriesReader) {
  const codes = DIMENSIONS.map(() => new Set<string>());
  const [times, statuses] = [new Set<string>(), new Set<string>()];
  for await (const series of read()) {
    for (const [index, code] of codesOf(series.key).entries()) codes[index]?.add(code);
    for (const one of series.observations()) {
      times.add(timePeriod(series.key.FREQ, one.day));
      statuses.add(statusOf(one));
    }
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
    const dataSets = new Map<string, { from: number; to: number; series: Map<SeriesKey, Series> }>();
    for await (const given of read()) {
      for (const one of given.observations()) {
        const { from, to } = one.validity ?? { from: 0, to: 0 };
        const dataSet = dataSets.get(`${from} ${to}`) ?? { from, to, series: new Map() };
        dataSets.set(`${from} ${to}`, dataSet);
        const series = dataSet.series.get(given.key) ?? new Series(given.key);
        dataSet.series.set(given.key, series);
        series.append(one);
      }
    }
    // Observations that are still valid come after replaced ones.
    const inOrder = [...dataSets.values()].sort(
      (one, other) => one.from - other.from || (one.to || Infinity) - (other.to || Infinity),
    );
    for (const { series } of inOrder) yield* series.values();
  };
}
