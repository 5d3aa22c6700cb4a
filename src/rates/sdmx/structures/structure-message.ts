import * as z from 'zod';
import type { Content } from '../../../http/reply.js';
import type { Header } from '../body.js';
import type { MediaType } from '../media-types.js';
import type { Artefact } from './artefacts.js';
import { structureJson } from './json-message.js';
import { structureXml } from './xml-message.js';

/** The media types of structures. The first is the default. */
export const STRUCTURE_TYPES = [
  { type: 'application/vnd.sdmx.structure+xml;version=2.1', body: 'xml' },
  { type: 'application/xml', body: 'xml' },
  { type: 'application/vnd.sdmx.structure+json;version=1.0.0', body: 'json' },
  { type: 'application/json', body: 'json' },
] as const satisfies readonly MediaType[];

export type StructureType = (typeof STRUCTURE_TYPES)[number];

export function structureMessage(
  artefacts: readonly Artefact[],
  header: Header,
  { type, body }: StructureType,
): Content {
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
