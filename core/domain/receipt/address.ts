import * as z from 'zod';
import { amountIn } from '../amount.js';
import { type CalendarDate, dayNumber, isCalendarDate } from '../dates.js';
import { type DayPick, daysToPick, lastAskedDay, type PickedDay } from '../day-pick.js';
import { PROVIDER_KEY } from '../providers.js';
import type { Side } from '../sides.js';
import { periodStart, type ValidityPeriod } from '../validity.js';

export interface Asked {
  kind: 'rate' | 'convert';
  base: string;
  quote: string;
  amount?: string | undefined;
  /** Sorted; undefined for the blend of all. */
  providers?: readonly string[] | undefined;
  side?: Side | undefined;
  precision?: 'display' | 'full' | undefined;
  date: CalendarDate;
  pick: DayPick;
  /** An instant in the format of `toISOString`. */
  asOf: string;
}

/** The canonical address relative to the service, with its parameters in a fixed order. */
export function addressOf({ kind, base, quote, ...asked }: Asked): string {
  const parameters = {
    amount: asked.amount,
    providers: asked.providers?.join(),
    side: asked.side,
    precision: asked.precision === 'full' ? asked.precision : undefined,
    date: asked.date,
    when: asked.pick === 'on-or-before' ? undefined : asked.pick,
    as_of: asked.asOf,
    expand: 'receipt',
  };
  const query = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return `/v2/${kind}/${base}/${quote}?${query.join('&')}`;
}

const ADDRESS = /^\/v2\/(rate|convert)\/([A-Z]{3})\/([A-Z]{3})\?(.*)$/;

const options = {
  providers: z
    .string()
    .transform((text) => text.split(','))
    .refine((keys) => keys.every((key, at) => PROVIDER_KEY.test(key) && key > (keys[at - 1] ?? '')))
    .optional(),
  side: z.enum(['buy', 'sell']).optional(),
  date: z.string().refine(isCalendarDate),
  when: z.enum(['before', 'next']).optional(),
  as_of: z.iso.datetime(),
  expand: z.literal('receipt'),
};
const parameters = {
  rate: z.strictObject({ ...options, precision: z.literal('full').optional() }),
  convert: z.strictObject({ ...options, amount: z.string().refine((text) => amountIn(text) === text) }),
};

/** Parses an address. Throws a RangeError unless it is exactly as `addressOf` writes it. */
export function askedBy(url: string): Asked {
  const [, kind, base = '', quote = '', query] = ADDRESS.exec(url) ?? [];
  if (kind !== 'rate' && kind !== 'convert')
    throw new RangeError(`url: ${url} is not the address of a receipt`);
  const parsed = parameters[kind].safeParse(Object.fromEntries(new URLSearchParams(query)));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RangeError(`url: ${[...(issue?.path ?? []), issue?.message].join(': ')}`);
  }
  const { expand: _, when, as_of: asOf, ...rest } = parsed.data;
  const asked: Asked = { kind, base, quote, pick: when ?? 'on-or-before', asOf, ...rest };
  const canonical = addressOf(asked);
  if (canonical !== url) throw new RangeError(`url: is not written as ${canonical}`);
  return asked;
}

export function pickedBy({ date, pick }: Pick<Asked, 'date' | 'pick'>): PickedDay {
  return { day: dayNumber(date), pick };
}

/** The days on which an official rate that is valid on the requested day may have been set. */
export function validDays(asked: Asked, found: number, period: ValidityPeriod) {
  const to = lastAskedDay(pickedBy(asked), found);
  return { from: periodStart[period](to), to };
}

/** Throws a RangeError if the address does not ask for a rate of this day. */
export function checkDay(asked: Asked, date: CalendarDate, period?: ValidityPeriod): void {
  const found = dayNumber(date);
  const picked = daysToPick(pickedBy(asked));
  const { from, to } = period && asked.pick !== 'next' ? validDays(asked, found, period) : picked;
  if (found < from || found > to) throw new RangeError(`url: does not ask for a rate of ${date}`);
}
