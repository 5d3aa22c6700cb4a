import { z } from 'zod';
import { lenientQuery } from '../parameters/query.js';
import { ORDERS, type Order } from './column-order.js';
import { type SourceState, STATES } from './sources.js';

/** Each with its first order: the newest dates and the greatest deviations first. */
export const SORTS = {
  name: 'ascending',
  state: 'ascending',
  newest: 'descending',
  next: 'ascending',
  deviation: 'descending',
} as const;

export type Sort = keyof typeof SORTS;

/** Unknown values are ignored. */
export const statusQuery = lenientQuery(
  z
    .object({ state: z.string(), blended: z.string(), sort: z.string(), order: z.string(), q: z.string() })
    .partial(),
);

export interface Shown {
  /** Without a state, lines that need attention are shown, and a search finds all. */
  state: SourceState | 'attention' | 'all' | undefined;
  blended: 'yes' | 'no' | undefined;
  sort: Sort;
  order: Order;
  text: string;
}

/** If no sources are read, all lines are shown, and can't be sorted by the next date. */
export function shownBy(query: ReturnType<typeof statusQuery.read>, isRead: boolean): Shown {
  const sort = (Object.keys(SORTS) as Sort[]).find((one) => one === query.sort) ?? 'state';
  const { order, q: text = '' } = query;
  return {
    state:
      ['attention' as const, 'all' as const, ...STATES].find((state) => state === query.state) ??
      (isRead ? undefined : 'all'),
    blended: (['yes', 'no'] as const).find((choice) => choice === query.blended),
    sort: sort === 'next' && !isRead ? 'state' : sort,
    order: ORDERS.find((one) => one === order) ?? SORTS[sort],
    text: text.trim(),
  };
}

/** Leaves out default values. */
export function pathOf(shown: Shown): string {
  const parameters = parametersOf(shown);
  return parameters.size > 0 ? `/status?${parameters}` : '/status';
}

export function parametersOf({ state, blended, sort, order, text }: Shown): URLSearchParams {
  const isSorted = sort !== 'state' || order !== SORTS[sort];
  const all = { state, blended, ...(isSorted && { sort, order }), q: text };
  return new URLSearchParams(
    Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

export function isSort(name: string): name is Sort {
  return Object.hasOwn(SORTS, name);
}
