import * as z from 'zod';
import { ORDINARY, type SuspicionReason, suspicionOf } from '../blend/suspicion.js';
import { type CalendarDate, dayNumber } from '../dates.js';

const figure = z.object({ date: z.iso.date(), rate: z.number() });

/** The evidence that a rate was judged by: see `Evidence`. */
export const judgementSchema = z.object({
  last: figure.optional().meta({
    description: 'The last trusted rate of the pair by the same provider; absent for its first rate',
  }),
  others: z
    .array(figure.extend({ provider: z.string() }))
    .optional()
    .meta({
      description:
        'The rates of other providers for the pair; absent if the rate moved no further than usual from the previous one',
    }),
  usual: z.number().optional().meta({
    description:
      'The second largest move of the pair in the two weeks before, as the logarithm of a factor; absent where it is 0',
  }),
  verdict: z.enum(['confirmed', 'accepted', 'rejected']).optional().meta({
    description:
      'The outcome for a suspect rate: confirmed by later rates, or accepted or rejected by an operator',
  }),
});

export type Judgement = z.output<typeof judgementSchema>;

/** Why the rule suspects a rate, given its evidence; undefined if it does not. */
export function suspicionReason(
  { date, rate }: { date: CalendarDate; rate: number },
  { last, others = [], usual = 0 }: Judgement,
): SuspicionReason | undefined {
  if (last && Math.abs(rate / last.rate - 1) <= ORDINARY) return undefined;
  return suspicionOf({
    day: dayNumber(date),
    rate,
    last: last && { day: dayNumber(last.date), rate: last.rate },
    others: others.map((other) => ({ ...other, day: dayNumber(other.date) })),
    usual,
  })?.reason;
}

/** Whether a rate belongs in the blend, given its evidence and what became of it. */
export function isTrusted(row: { date: CalendarDate; rate: number }, judgement: Judgement): boolean {
  const { verdict } = judgement;
  return verdict === undefined ? suspicionReason(row, judgement) === undefined : verdict !== 'rejected';
}
