import { z } from 'zod';
import { SUSPICION_REASONS } from '../../../core/domain/blend/suspicion.js';
import {
  currencyCode,
  currencyList,
  dateParameter,
  oneOf,
  providerList,
} from '../../http/currency-parameters.js';

const providers = providerList.optional().meta({
  description:
    'Only these sources, commas between keys. One: its own rows, rebased within its own data. Several: the blend of just those. Pegs apply in neither case.',
  examples: ['ECB'],
});
const expand = oneOf(['providers'])
  .optional()
  .meta({
    type: 'string',
    enum: ['providers'],
    description: 'providers: each row says where its rate comes from',
  });
const date = dateParameter.optional().meta({
  format: 'date',
  description: 'The newest rates as of this day instead of today',
  examples: ['2026-03-02'],
});

/** What `GET /v2/rates` takes. */
export const ratesQuery = z.object({
  base: currencyCode.optional().meta({
    type: 'string',
    description: 'Currency of which one unit is priced',
    default: 'EUR',
    examples: ['EUR'],
  }),
  quotes: currencyList.optional().meta({
    description: 'Only these currencies, commas between codes. It never changes a rate.',
    examples: ['USD,GBP'],
  }),
  providers,
  expand,
  date,
  from: dateParameter.optional().meta({
    format: 'date',
    description: 'First day of a range. Without it the response has the newest rates.',
    examples: ['2026-01-01'],
  }),
  to: dateParameter.optional().meta({
    format: 'date',
    description: 'Last day of the range; today, UTC, where missing. Needs `from`.',
    examples: ['2026-03-31'],
  }),
  group: oneOf(['week', 'month'])
    .optional()
    .meta({
      type: 'string',
      enum: ['week', 'month'],
      description: 'Means over ISO weeks or months, dated with the first day of each. Needs `from`.',
    }),
});

/** What `GET /v2/rate/{base}/{quote}` takes. */
export const pairQuery = ratesQuery.pick({ providers: true, expand: true, date: true });

export const pairPath = z.object({
  base: z.string().meta({ description: 'Currency of which one unit is priced', examples: ['EUR'] }),
  quote: z.string().meta({ description: 'Currency to price it in', examples: ['USD'] }),
});

const marks = {
  suspect: z.literal(true).optional().meta({
    description: 'Held back from the blend until another source or the next rate agrees: see /v2/suspects',
  }),
  reason: z.enum(SUSPICION_REASONS).optional().meta({ description: 'Why it is suspect' }),
};

const sourceSchema = z.object({
  key: z.string(),
  date: z.iso.date().meta({ description: 'The day on which the source published the rate' }),
  rate: z.number().meta({ description: "The source's rate in terms of the row's base" }),
  excluded: z.literal(true).optional().meta({ description: 'Left out: too far from what the others say' }),
  ...marks,
});

export const rowSchema = z
  .object({
    date: z.iso.date(),
    base: z.string(),
    quote: z.string(),
    rate: z.number().meta({ description: 'Units of the quote per unit of the base' }),
    ...marks,
    providers: z.array(sourceSchema).optional().meta({
      description: "Only with expand=providers, and neither on the base's own row nor on a pegged currency's",
    }),
  })
  .meta({ id: 'Rate' });
