import { type BodyContext, type BodyForm, instantText, statusOf, UNITS } from './body.js';
import { AGENCY, type Component, DIMENSIONS, OBS_STATUS, UNIT_MULT } from './dataflow.js';
import { type Frequency, timePeriod } from './periods.js';
import { observationsAt, type Series, type SeriesReader } from './series.js';
import { codesOf } from './series-key.js';

/** SDMX-JSON 1.0, and the draft before it, which has `header` instead of `meta` and no `data`. */
export type JsonVersion = 'json' | 'draft-json';

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
  const indices = found.codes.map((codes) => indexed(codes));
  const statuses = indexed(found.statuses);
  const times = timesOf(found.periods);
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
    const timeOf = times.get(key.frequency);
    for (let index = 0; hasObservations && index < days.length; index++) {
      const separator = index > 0 ? ',' : `${hasAttributes ? ',' : ''}"observations":{`;
      const status = hasAttributes ? `,${statuses.get(statusOf(series, index)) ?? 0}` : '';
      yield `${separator}"${timeOf?.get(days[index] ?? 0)}":[${values[index]}${status}]`;
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

async function valuesOf(read: SeriesReader) {
  const codes = DIMENSIONS.map(() => new Set<string>());
  const periods = new Map<Frequency, Set<number>>();
  const statuses = new Set<'A' | 'U'>();
  for await (const series of read()) {
    const { key, days, suspects } = series;
    for (const [index, code] of codesOf(key).entries()) codes[index]?.add(code);
    const known = periods.get(key.frequency) ?? new Set();
    periods.set(key.frequency, known);
    for (const day of days) known.add(day);
    if (suspects.includes(0)) statuses.add('A');
    if (suspects.includes(1)) statuses.add('U');
  }
  return {
    /** By the position of the dimension. */
    codes: codes.map((found) => [...found].sort()),
    periods: new Map(
      [...periods].map(([frequency, days]) => [frequency, [...days].sort((one, other) => one - other)]),
    ),
    statuses: [...statuses].sort(),
  };
}

/** The indices of periods in the list, which contains those of all frequencies. */
function timesOf(periods: Values['periods']): Map<Frequency, Map<number, number>> {
  let listed = 0;
  return new Map(
    [...periods].map(([frequency, days]) => {
      const times = indexed(days, listed);
      listed += days.length;
      return [frequency, times];
    }),
  );
}

function indexed<T>(values: readonly T[], first = 0): Map<T, number> {
  return new Map(values.map((value, index) => [value, first + index]));
}

function structureOf({ codes, periods, statuses }: Values, { hasObservations, hasAttributes }: BodyContext) {
  const times = hasObservations
    ? [...periods].flatMap(([frequency, days]) => days.map((day) => timePeriod(frequency, day)))
    : [];
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
          values: times.map((time) => ({ id: time, name: time })),
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
