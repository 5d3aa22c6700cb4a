import * as z from 'zod';
import type { Columns } from '../../../../core/columns/columns.js';
import { fromDayNumber } from '../../../../core/domain/dates.js';
import { LITTLE } from '../../../http/admission.js';
import type { Content, Task } from '../../../http/reply.js';
import type { RequestContext } from '../../../http/route.js';
import {
  type RatesContext,
  type RatesInput,
  type RatesView,
  requireLoaded,
} from '../../engine/rates-view.js';
import { resolveRequest } from '../../engine/request.js';
import { headerOf, nothingFound } from '../body.js';
import { costOf, coveringRequest, type DataDependencies } from '../data.js';
import type { DataQuery } from '../data-query.js';
import { type Artefact, DIMENSIONS } from '../dataflow.js';
import { chosenType, type MediaType } from '../media-types.js';
import { readSeries } from '../observations.js';
import { codesOf } from '../series.js';
import { daysIn, type Region, structureJson, structureXml, withRegion } from './messages.js';

interface Wanted {
  readonly artefacts: readonly Artefact[];
  /** The data that a constraint is about; undefined for the blend. */
  readonly query?: DataQuery;
  /** The dimensions of a constraint, which may include TIME_PERIOD; undefined for all. */
  readonly components?: readonly string[];
}

/** The region of a constraint is computed when the message is made. */
export function askStructures(
  { rates, clock }: DataDependencies,
  wanted: Wanted,
  { headers }: RequestContext,
): Task | Promise<Task> {
  const media = chosenType(STRUCTURE_TYPES, { accept: headers.accept });
  const { query } = wanted;
  const request = query ? coveringRequest(query, clock) : resolveRequest({}, clock);
  const cost = query ? costOf(query, clock) : LITTLE;
  const layout = { form: 'sdmx-structures', media, ...wanted };
  return rates.ask('sdmx-structures', { request, layout }, { vary: ['accept'], cost });
}

/** Makes a message of structures. Throws an HttpError 404 if the query of a constraint finds nothing. */
export async function makeStructures(
  { layout: { artefacts, query, components, media } }: RatesInput<Wanted & { media: StructureType }>,
  view: RatesView,
  context: RatesContext,
): Promise<Content> {
  const whole = artefacts.map(async (artefact) => {
    if (!artefact.cubeRegions) return artefact;
    requireLoaded(view.current, Number.NEGATIVE_INFINITY);
    const found = query ? await regionOf(query, { view, context }) : regionOfBlend(view.current.days);
    const region = found.filter(({ id }) => components?.includes(id) ?? true);
    return withRegion(artefact, region);
  });
  const [all, header] = [await Promise.all(whole), headerOf(view)];
  const text = media.body === 'xml' ? structureXml(all, header) : JSON.stringify(structureJson(all, header));
  return { type: media.type, body: Buffer.from(text) };
}

/** The media types of structures. The first is the default. */
const STRUCTURE_TYPES = [
  { type: 'application/vnd.sdmx.structure+xml;version=2.1', body: 'xml' },
  { type: 'application/xml', body: 'xml' },
  { type: 'application/vnd.sdmx.structure+json;version=1.0.0', body: 'json' },
  { type: 'application/json', body: 'json' },
] as const satisfies readonly MediaType[];

type StructureType = (typeof STRUCTURE_TYPES)[number];

export function describedMessage(description: string, artefacts: readonly Artefact[]) {
  const header = { id: 'V4711', prepared: '2026-03-17T16:02:11Z' };
  const [xml, , json] = STRUCTURE_TYPES;
  return {
    description,
    content: {
      [xml.type]: { schema: z.string(), example: structureXml(artefacts, header) },
      [json.type]: {
        schema: z.object({ meta: z.looseObject({}), data: z.looseObject({}) }),
        example: structureJson(artefacts, header),
      },
    },
  };
}

/** Returns the codes of the series of a query, and the days on which their first and last periods begin. Throws a 404. */
async function regionOf(
  query: DataQuery,
  known: { view: RatesView; context: RatesContext },
): Promise<Region> {
  const codes = DIMENSIONS.map(() => new Set<string>());
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const read = await readSeries({ ...query, first: 1, last: 1 }, known);
  for await (const series of read()) {
    codesOf(series.key).forEach((code, index) => void codes[index]?.add(code));
    for (const { day } of series.observations()) [from, to] = [Math.min(from, day), Math.max(to, day)];
  }
  if (to < from) throw nothingFound();
  return [
    ...DIMENSIONS.map(({ id }, index) => ({ id, values: [...(codes[index] ?? [])].sort() })),
    daysIn({ from: fromDayNumber(from), to: fromDayNumber(to) }),
  ];
}

/** Returns the codes of the blend, which has no sides, and its first and last day. Empty without rates. */
function regionOfBlend({ quotes, days }: Columns): Region {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const codesIn = ({ id, codes }: (typeof DIMENSIONS)[number]['codelist']) => {
    if (id === 'CL_CURRENCY') return [...quotes].sort();
    return id === 'CL_EXR_TYPE' ? ['SP00'] : [...codes.keys()].sort();
  };
  return [
    ...DIMENSIONS.map(({ id, codelist }) => ({ id, values: codesIn(codelist) })),
    daysIn({ from: fromDayNumber(first), to: fromDayNumber(last) }),
  ];
}
