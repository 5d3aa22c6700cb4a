import { type BodyContext, type BodyForm, instantText, statusOf, UNITS } from './body.js';
import { AGENCY, type Component, DIMENSIONS, OBS_STATUS, UNIT_MULT } from './dataflow.js';
import { timePeriod } from './periods.js';
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
