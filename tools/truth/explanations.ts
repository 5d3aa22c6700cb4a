import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import type { CalendarDate } from '../../core/domain/dates.js';
import { isBlended, providerOf } from '../../core/domain/providers.js';
import { projectFolder } from '../../core/process/project-files.js';
import type { Deviation } from './deviations.js';

const date = z.iso.date();

/** Why rates of one provider deviate. */
const explanation = z.strictObject({
  provider: z.string(),
  /** Codes, or `all` of the provider's. */
  currencies: z.union([z.array(z.string()), z.literal('all')]),
  /** First and last day that it is about, both included; open where absent. */
  from: date.optional(),
  to: date.optional(),
  /** The days that it is about, where they are single ones. */
  days: z.array(date).optional(),
  /** The largest relative deviation that the reason explains; none where absent. */
  most: z.number().optional(),
  kind: z.enum(['official', 'market', 'hour', 'slip', 'period']),
  reason: z.string(),
});

type Explanation = z.infer<typeof explanation>;

/** What is known about deviations in the recordings, of each provider the narrow before the wide. */
export const explanations: readonly Explanation[] = z
  .array(explanation)
  .parse(parse(readFileSync(join(projectFolder, 'tools', 'truth', 'explanations.yaml'), 'utf8')));

const distrusted = explanations.filter(({ kind }) => kind === 'slip');

/** The explanation of a deviation: the first that applies. */
export function explanationOf(deviation: Deviation): Explanation | undefined {
  const { deviation: size } = deviation;
  return explanations.find(
    (one) => isAbout(one, deviation) && Math.abs(size) <= (one.most ?? Number.POSITIVE_INFINITY),
  );
}

/**
 * Whether other rates may be compared with this one: it is blended, as those set for a period are not, and not known to
 * be wrong.
 */
export function isTrusted(rate: { provider: string; quote: string; date: CalendarDate }): boolean {
  const {
    blend_currencies: blended,
    blend_without = [],
    pivot_currency: own,
  } = providerOf(rate.provider) ?? {};
  const isLeftOut =
    (blended && rate.quote !== own && !blended.includes(rate.quote)) ||
    blend_without.some(({ currency }) => currency === rate.quote);
  return isBlended(rate.provider) && !isLeftOut && !distrusted.some((one) => isAbout(one, rate));
}

function isAbout(
  { provider, currencies, from, to, days }: Explanation,
  rate: { provider: string; date: CalendarDate; quote: string },
): boolean {
  return (
    provider === rate.provider &&
    (currencies === 'all' || currencies.includes(rate.quote)) &&
    (days === undefined || days.includes(rate.date)) &&
    (from === undefined || rate.date >= from) &&
    (to === undefined || rate.date <= to)
  );
}
