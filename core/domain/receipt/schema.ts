import * as z from 'zod';
import { SUSPICION_REASONS } from '../blend/suspicion.js';
import { judgementSchema } from './judgement.js';

const date = z.iso.date();
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const evidence = z.object({
  url: z.string().meta({ description: 'The address of the response, without keys' }),
  fetched_at: z.iso.datetime(),
  sha256: hash.meta({ description: 'SHA-256 of the body, after decompression' }),
  bytes: z.int(),
});

const input = z.object({
  for: z.string().meta({ description: 'The currency whose rate per US dollar this row contributes to' }),
  provider: z.string(),
  date,
  base: z.string(),
  quote: z.string(),
  rate: z.number().meta({ description: 'As published' }),
  side: z
    .enum(['buy', 'sell'])
    .optional()
    .meta({ description: 'Only with `side`: the published side that `rate` is' }),
  recorded_at: z.iso.datetime(),
  weight: z
    .number()
    .optional()
    .meta({ description: 'Its weight in the mean; absent if it was left out or is only a bridge' }),
  suspect: z.enum(SUSPICION_REASONS).optional().meta({
    description: 'Why the rate is suspect, if it is used nevertheless: a single source was requested',
  }),
  left_out: z
    .enum(['outlier', ...SUSPICION_REASONS.map((reason) => `suspect: ${reason}` as const)])
    .optional()
    .meta({ description: 'Why it was left out: it is an outlier, or suspect for the reason given' }),
  bridge: z.literal(true).optional().meta({
    description:
      'Set if it only converts other rates of its provider to US dollars, or to the `per` of `steps.source`',
  }),
  judgement: judgementSchema.optional().meta({
    description: 'The rates that it was compared with; absent for the rate of a single source',
  }),
  evidence: z.array(evidence).nullable().meta({
    description:
      'The responses read by the run that recorded it, at most twenty; null if none were recorded, as for an import',
  }),
  sha256: hash.meta({ description: 'SHA-256 of the canonical JSON of all other members' }),
});

const frame = z.object({
  currency: z.string(),
  provider: z.string(),
  date,
  rate: z.number().meta({ description: 'Units per dollar' }),
  paths: z.int().meta({ description: 'Number of pairs of the provider of which it is the mean' }),
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
  date: date.meta({ description: 'The day from which the ages are counted' }),
  total: z.number(),
  rate: z.number().meta({ description: 'The weighted mean, in units per dollar' }),
});

const peg = z.object({ currency: z.string(), base: z.string(), rate: z.number() });

const leg = z.object({ currency: z.string(), date, rate: z.number() });

const source = z.object({
  provider: z.string(),
  per: z.string().meta({ description: 'The currency in which the figures are quoted, per unit' }),
  figures: z.array(leg).meta({
    description:
      'The figure of the quote if the source publishes the pair; otherwise the figures of both currencies',
  }),
});

const steps = z.object({
  frame: z.array(frame).meta({ description: 'The rates of each provider, converted to US dollars' }),
  consensus: z
    .array(consensus)
    .meta({ description: 'Only for currencies with rates of at least four providers' }),
  weights: z.array(weights),
  peg: z.array(peg),
  source: source.optional().meta({
    description: 'How the rate of a single source is computed from its rows; the lists above are then empty',
  }),
  ratio: z.object({
    base: leg,
    quote: leg,
    date: date.meta({ description: 'The date of the row: the later of the dates of the two rates' }),
    rate: z
      .number()
      .meta({ description: 'The rate of the quote divided by the rate of the base, or the peg itself' }),
  }),
});

/** Everything that a rate was computed from, so that anybody can compute it again. */
export const receiptSchema = z
  .object({
    url: z.string().meta({ description: 'Relative URL that returns the same response at any later time' }),
    known_at: z.iso.datetime().meta({ description: 'The instant of the data: later records were not used' }),
    method: z.int().meta({ description: 'Number of the blend method' }),
    inputs: z.array(input),
    steps,
    sha256: hash.meta({ description: 'SHA-256 of the canonical JSON (RFC 8785) of all other members' }),
  })
  .meta({ id: 'Receipt' });

export type Receipt = z.output<typeof receiptSchema>;
export type ReceiptInput = z.output<typeof input>;
export type ReceiptSteps = z.output<typeof steps>;
