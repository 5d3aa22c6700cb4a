import { lifetimeOf, lifetimes } from '../../core/domain/currencies.js';
import type { Reader } from './reader.js';
import type { Mark } from './shared/line-chart.js';

/** Countries with currencies of their own adopt these at any time. Other successors begin with the redenomination. */
const ADOPTED = ['EUR', 'USD'];

/** The redenominations of two currencies, and the ends of their predecessors, with the ratio. Oldest first. */
export function chartMarks(pair: readonly string[], { formats, say }: Reader): Mark[] {
  const predecessors = [...lifetimes()]
    .map(([code]) => code)
    .filter((code) => {
      const successor = lifetimeOf(code).replacedBy?.code;
      return successor !== undefined && !ADOPTED.includes(successor) && pair.includes(successor);
    });
  const marks = [...new Set([...predecessors, ...pair])].flatMap((code): Mark | [] => {
    const { until, replacedBy } = lifetimeOf(code);
    if (until === undefined || !replacedBy) return [];
    // Old notes are often legal tender for months after it.
    const from = ADOPTED.includes(replacedBy.code) ? undefined : lifetimeOf(replacedBy.code).from;
    const date = from ?? until;
    const ratio = formats.decimal(String(replacedBy.ratio));
    const became = say('currency.successor', { ratio, code, successor: replacedBy.code });
    return { date, text: `${formats.date(date)}: ${became}` };
  });
  return marks.sort((one, other) => (one.date < other.date ? -1 : 1));
}
