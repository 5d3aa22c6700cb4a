import * as z from 'zod';
import { currencies } from '../../../core/domain/currencies.js';
import { providers } from '../../../core/domain/providers.js';
import { readDataFile } from '../../../core/process/project-files.js';

export const AGENCY = 'ALMANAC';
/** The ID of the dataflow, of its data structure and of the dimension groups in keys of series. */
export const DATAFLOW = 'EXR';
export const VERSION = '1.0';

const named = { name: z.string(), names: z.strictObject({ en: z.string() }) };
const items = z.array(z.strictObject({ id: z.string(), ...named })).optional();

const artefact = z.looseObject({
  id: z.string(),
  links: z.tuple([z.strictObject({ rel: z.literal('self'), urn: z.string() })]),
  agencyID: z.literal(AGENCY),
  version: z.literal(VERSION),
  ...named,
  dataProviders: items,
  codes: items,
  concepts: items,
});

/** A structure as an object of SDMX-JSON. The class in its URN is its type. */
export type Artefact = z.output<typeof artefact>;

/** The `data` of a structure message of SDMX-JSON 1.0. Its scheme of sources and its list of currencies are empty. */
const message = readDataFile('sdmx_structures.json', z.record(z.string(), z.array(artefact)));

const currencyCodes = [...currencies].map(([code, { name }]) => item(code, name));
const structures = Object.values(message)
  .flat()
  .map((one) => (one.id === 'CL_CURRENCY' ? { ...one, codes: currencyCodes } : one));

function item(id: string, name: string) {
  return { id, name, names: { en: name } };
}

/** All structures, in the order of messages. The constraint has no region. */
export function allArtefacts(): Artefact[] {
  const dataProviders = providers.map(({ key, name }) => item(key, name));
  return structures.map((one) => (one.dataProviders ? { ...one, dataProviders } : one));
}

export type Component = ReturnType<typeof component>;

function component<const Id extends string>(id: Id, listId = `CL_${id}`) {
  const list = structures.find((one) => one.id === listId);
  const codes: ReadonlyMap<string, string> = new Map(list?.codes?.map(({ id, name }) => [id, name]));
  return { id, codelist: { id: listId, codes } };
}

/** The dimensions of a series, in the order of its key: the same as in the ECB's dataflow of this name. */
export const DIMENSIONS = [
  component('FREQ'),
  component('CURRENCY'),
  component('CURRENCY_DENOM', 'CL_CURRENCY'),
  component('EXR_TYPE'),
  component('EXR_SUFFIX'),
];

export type DimensionId = (typeof DIMENSIONS)[number]['id'];

export const OBS_STATUS = component('OBS_STATUS');
export const UNIT_MULT = component('UNIT_MULT');
