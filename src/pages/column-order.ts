/** As `aria-sort` names them. */
export const ORDERS = ['ascending', 'descending'] as const;

export type Order = (typeof ORDERS)[number];

/** What a line is sorted by. */
export type SortKey = string | number | null | undefined;

/** Lines without a key come last in either order. */
export function compareKeys(one: SortKey, other: SortKey, order: Order): number {
  if (one === other) return 0;
  if (one === null || one === undefined) return 1;
  if (other === null || other === undefined) return -1;
  return one < other === (order === 'ascending') ? -1 : 1;
}
