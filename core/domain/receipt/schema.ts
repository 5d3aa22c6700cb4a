import { z } from 'zod';
import { SUSPICION_REASONS } from '../blend/suspicion.js';
import { judgementSchema } from './judgement.js';

const date = z.iso.date();
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const evidence = z.object({
  url: z.string().meta({ description: 'Without secrets' }),
  fetched_at: z.iso.datetime(),
  sha256: hash.meta({ description: 'Of the body, after decompression' }),
  bytes: z.int(),
});

const input = z.object({
  for: z.string().meta({ description: 'The currency whose rate per dollar it is a part of' }),
  provider: z.string(),
  date,
  base: z.string(),
  quote: z.string(),
  rate: z.number().meta({ description: 'As published' }),
  side: z
    .enum(['buy', 'sell'])
    .optional()
    .meta({ description: 'The published side that it is; only with `side`' }),
  recorded_at: z.iso.datetime(),
  weight: z.number().optional().meta({ description: 'Its weight in the mean, where it counted' }),
  suspect: z.enum(SUSPICION_REASONS).optional().meta({
    description: 'Why it is suspect, where it counts nevertheless: as the own rate of the only source',
  }),
  left_out: z
    .enum(['outlier', ...SUSPICION_REASONS.map((reason) => `suspect: ${reason}` as const)])
    .optional()
    .meta({ description: 'Why it did not count: outlier, or suspect with the reason' }),
  bridge: z.literal(true).optional().meta({
    description: "It only brings its provider's other rates to dollars, or to the `per` of `steps.source`",
  }),
  judgement: judgementSchema.optional().meta({
    description: 'What it was judged by; absent for the rate of one source',
  }),
  evidence: z.array(evidence).nullable().meta({
    description:
      'The responses that the run read which recorded it, twenty at most; null where that was not recorded, as of an import',
  }),
  sha256: hash.meta({ description: 'Of the canonical JSON of all its members but this one' }),
});

const frame = z.object({
  currency: z.string(),
  provider: z.string(),
  date,
  rate: z.number().meta({ description: 'Units per dollar' }),
  paths: z.int().meta({ description: 'How many of the pairs of the provider it is the mean of' }),
});

const consensus = z.object({
  currency: z.string(),
  median: z.number(),
  deviation: z.number(),
  limit: z.number(),
  excluded: z.array(z.string()),
});

const weights = z.object({
  currency: z.string(),
  date: date.meta({ description: 'The day that the ages are counted from' }),
  total: z.number(),
  rate: z.number().meta({ description: 'The weighted mean, in units per dollar' }),
});

const peg = z.object({ currency: z.string(), base: z.string(), rate: z.number() });

const leg = z.object({ currency: z.string(), date, rate: z.number() });

const source = z.object({
  provider: z.string(),
  per: z.string().meta({ description: 'The currency that the figures are per unit of' }),
  figures: z.array(leg).meta({
    description: 'The figure of the quote where the source publishes the pair; else those of both currencies',
  }),
});

const steps = z.object({
  frame: z.array(frame).meta({ description: 'The rates of each provider, brought to dollars' }),
  consensus: z.array(consensus).meta({ description: 'Where four providers or more gave a rate' }),
  weights: z.array(weights),
  peg: z.array(peg),
  source: source.optional().meta({
    description: 'How the rate follows from the rows of one source; the lists above are empty then',
  }),
  ratio: z.object({
    base: leg,
    quote: leg,
    date: date.meta({
      description: 'The date of the row: that of one of the two, of which the other one has no newer rate',
    }),
    rate: z.number().meta({ description: 'The rate of the quote divided by that of the base; a peg itself' }),
  }),
});

/** Everything that a rate was computed from, so that anybody can compute it again. */
export const receiptSchema = z
  .object({
    url: z.string().meta({ description: 'Asks the same again for ever; relative to this service' }),
    known_at: z.iso.datetime().meta({ description: 'What was recorded later did not count' }),
    method: z.int().meta({ description: 'The number of the method of the blend' }),
    inputs: z.array(input),
    steps,
    sha256: hash.meta({ description: 'Of the canonical JSON (RFC 8785) of all members but this one' }),
  })
  .meta({ id: 'Receipt' });

export type Receipt = z.output<typeof receiptSchema>;
export type ReceiptInput = z.output<typeof input>;
export type ReceiptSteps = z.output<typeof steps>;
