import { z } from 'zod';
import { oneOf } from '../../../parameters/currency-parameters.js';
import { dataParameters, dataParameters3 } from '../data-query.js';
import { DETAILS } from './selection.js';

const references = z
  .string()
  .default('none')
  .meta({
    type: 'string',
    description:
      'none: what is asked for alone. Any other word of the standard, such as children, descendants or all: all structures.',
    examples: ['all'],
  });

/** The parameters of structures. */
export const structureParameters = z.object({
  references,
  detail: oneOf(DETAILS)
    .default('full')
    .meta({
      type: 'string',
      enum: [...DETAILS],
      description:
        'allstubs: no more than that there are such structures. referencestubs: the same of those that `references` adds.',
    }),
});

const ofAvailability = {
  references,
  mode: oneOf(['exact', 'available'])
    .default('exact')
    .meta({
      type: 'string',
      enum: ['exact', 'available'],
      description: 'exact: what the key finds. available: whatever could be asked for in its place.',
    }),
};

/** The parameters of availability, with the names of version 1 of the REST API and with those of version 2. */
export const availabilityParameters1 = dataParameters
  .pick({ startPeriod: true, endPeriod: true })
  .extend(ofAvailability);
export const availabilityParameters2 = dataParameters3
  .pick({ 'c[TIME_PERIOD]': true })
  .extend(ofAvailability);

const part = (description: string, example: string) => z.string().meta({ description, examples: [example] });

/** The path of a structure. Parts may be missing from the end. */
export const structurePath = z.object({
  type: part(
    'dataflow, datastructure, conceptscheme, codelist, dataproviderscheme or contentconstraint',
    'codelist',
  ),
  agency: part('ALMANAC, or all', 'ALMANAC'),
  id: part('One or several with `+`, or all', 'CL_FREQ'),
  version: part('1.0, latest or all', '1.0'),
  item: part('Codes, concepts or providers with `+`, or all', 'D'),
});

const key = part('Codes as in the key of data, or all', 'D.USD+GBP.EUR.SP00.A');
const component = part('A dimension, or all', 'CURRENCY');

/** The path of availability, with the names of version 1 and with those of version 2. */
export const availabilityPath1 = z.object({
  flow: part('EXR, after its agency and before its version or without them', 'EXR'),
  key,
  provider: part('Keys of providers with `+`, or all for the blend', 'ECB'),
  component,
});
export const availabilityPath2 = z.object({
  context: part('dataflow', 'dataflow'),
  agency: part('ALMANAC, or *', 'ALMANAC'),
  id: part('EXR', 'EXR'),
  version: part('1.0, or * or ~', '1.0'),
  key: part('Codes as in the key of data, or *', 'D.USD.EUR.SP00.A'),
  component: part('A dimension, or *', 'CURRENCY'),
});
