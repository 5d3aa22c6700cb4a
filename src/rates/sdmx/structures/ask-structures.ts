import * as z from 'zod';
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
import { type Header, headerOf, nothingFound } from '../body.js';
import { type DataDependencies, pairsOf } from '../data.js';
import type { DataQuery } from '../data-query.js';
import { chosenType, type MediaType } from '../media-types.js';
import type { Artefact, Region } from './artefacts.js';
import { availableRegion, exactRegion } from './availability.js';
import { structureJson } from './json-message.js';
import { structureXml } from './xml-message.js';

interface Wanted {
  readonly artefacts: readonly Artefact[];
  readonly query: DataQuery;
  readonly mode: 'exact' | 'available';
  /** Dimensions, which may include TIME_PERIOD; undefined for all. */
  readonly components?: readonly string[] | undefined;
  readonly isRequired?: boolean;
}

/** The region of a constraint is computed when the message is made. */
export function askStructures(
  { rates, clock }: DataDependencies,
  { artefacts, query, mode, components, isRequired = false }: Wanted,
  { headers }: RequestContext,
): Task | Promise<Task> {
  const { providers } = query;
  const request = resolveRequest({ providers: providers && [...providers] }, clock);
  const media = chosenType(STRUCTURE_TYPES, { accept: headers.accept });
  const listed = artefacts.map(({ items, ...artefact }) => ({ ...artefact, items: items && [...items] }));
  const layout = { form: 'sdmx-structures', media, artefacts: listed, query, mode, components };
  const rawDays = (providers ?? []).length > 1 ? Number.POSITIVE_INFINITY : 0;
  const cost = artefacts.some(isConstraint) ? { rows: pairsOf(query), rawDays, reads: true } : LITTLE;
  const options = { vary: ['accept'], cost, input: { artefacts, isRequired } };
  return rates.ask('sdmx-structures', { request, layout }, options);
}

interface StructuresInput
  extends RatesInput<Pick<Wanted, 'query' | 'mode' | 'components'> & { media: StructureType }> {
  readonly artefacts: readonly Artefact[];
  readonly isRequired: boolean;
}

/** Makes a message of structures. Throws an HttpError 404 if an observation is required and there is none. */
export async function makeStructures(
  { artefacts, isRequired, layout: { query, mode, components, media } }: StructuresInput,
  view: RatesView,
  context: RatesContext,
): Promise<Content> {
  const header = headerOf(view);
  if (!artefacts.some(isConstraint)) return structureMessage(artefacts, header, media);
  requireLoaded(view.current, Number.NEGATIVE_INFINITY);
  const find = mode === 'exact' ? exactRegion : availableRegion;
  const found = await find(query, { view, context });
  if (isRequired && !found.days) throw nothingFound();
  const region = only(found, components);
  const whole = artefacts.map((artefact) => (isConstraint(artefact) ? { ...artefact, region } : artefact));
  return structureMessage(whole, header, media);
}

function isConstraint({ type }: Artefact): boolean {
  return type === 'contentconstraint';
}

function only({ codes, days }: Region, components: readonly string[] | undefined): Region {
  if (!components) return { codes, ...(days && { days }) };
  const chosen = new Map([...codes].filter(([id]) => components.includes(id)));
  return { codes: chosen, ...(days && components.includes('TIME_PERIOD') && { days }) };
}

/** The media types of structures. The first is the default. */
const STRUCTURE_TYPES = [
  { type: 'application/vnd.sdmx.structure+xml;version=2.1', body: 'xml' },
  { type: 'application/xml', body: 'xml' },
  { type: 'application/vnd.sdmx.structure+json;version=1.0.0', body: 'json' },
  { type: 'application/json', body: 'json' },
] as const satisfies readonly MediaType[];

type StructureType = (typeof STRUCTURE_TYPES)[number];

function structureMessage(artefacts: readonly Artefact[], header: Header, { type, body }: StructureType) {
  const text =
    body === 'xml' ? structureXml(artefacts, header) : JSON.stringify(structureJson(artefacts, header));
  return { type, body: Buffer.from(text) };
}

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
