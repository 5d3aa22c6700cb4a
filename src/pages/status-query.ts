import { z } from 'zod';
import { type SourceState, STATES } from './provider-facts.js';

/** By what the list can be sorted, and in which order that begins: the newest dates and the greatest deviations first. */
export const SORTS = {
  name: 'ascending',
  state: 'ascending',
  newest: 'descending',
  next: 'ascending',
  deviation: 'descending',
} as const;

export type Sort = keyof typeof SORTS;
export type Order = 'ascending' | 'descending';

/** What is not understood is ignored: nothing is computed from it. */
export const statusQuery = z.object({
  state: z.string().optional(),
  blended: z.string().optional(),
  sort: z.string().optional(),
  order: z.string().optional(),
  q: z.string().optional(),
});

/** Which lines are asked for, and in which order. */
export interface Shown {
  /** Undefined where the address does not say: then what needs attention is shown, and everything that is looked for. */
  state: SourceState | 'attention' | 'all' | undefined;
  blended: 'yes' | 'no' | undefined;
  sort: Sort;
  order: Order;
  text: string;
}

/** What an address asks for. Where nothing is read, all is shown, and there is no next date to sort by. */
export function shownBy(query: z.output<typeof statusQuery>, isRead: boolean): Shown {
  const sort = (Object.keys(SORTS) as Sort[]).find((one) => one === query.sort) ?? 'state';
  const { order = SORTS[sort], q: text = '' } = query;
  return {
    state:
      ['attention' as const, 'all' as const, ...STATES].find((state) => state === query.state) ??
      (isRead ? undefined : 'all'),
    blended: (['yes', 'no'] as const).find((choice) => choice === query.blended),
    sort: sort === 'next' && !isRead ? 'state' : sort,
    order: order === 'ascending' || order === 'descending' ? order : SORTS[sort],
    text: text.trim(),
  };
}

/** This page with other parameters; those that say nothing are left out. */
export function pathOf(shown: Shown): string {
  const parameters = parametersOf(shown);
  return parameters.size > 0 ? `/status?${parameters}` : '/status';
}

/** What the address says of it. */
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
