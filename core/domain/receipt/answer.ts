import { converted } from '../amount.js';
import { SUSPICION_REASONS } from '../blend/suspicion.js';
import { dayNumber, fromDayNumber, isCalendarDate } from '../dates.js';
import { lastAskedDay } from '../day-pick.js';
import { periodOf } from '../providers.js';
import { roundForDisplay, roundForStorage } from '../rounding.js';
import { type AppliedRule, isKeyDayOf, pickOf, type Rule, rules } from '../rules.js';
import { MOST_DAYS, periodEnd } from '../validity.js';
import { type Asked, pickedBy } from './address.js';
import type { Receipt } from './schema.js';

export type Stated = Readonly<Record<string, unknown>>;

/** Copies from `stated` what can't be computed, if possible: the rule, a suspect mark, an official rate's last day. */
export function answerTo(asked: Asked, receipt: Receipt, stated: Stated): Stated {
  const { base, quote } = asked;
  const { ratio } = receipt.steps;
  const rule = ruleOf(asked, stated.rule);
  if (asked.kind === 'convert') {
    const { amount = '', date } = asked;
    const rate = roundForStorage(ratio.rate);
    const result = converted(amount, rate, quote);
    return { amount, base, quote, date, observed: ratio.date, rate, result, receipt, rule };
  }
  const isExact = asked.precision === 'full' || isPublished(receipt);
  const rate = isExact ? roundForStorage(ratio.rate) : roundForDisplay(ratio.rate);
  return {
    ...{ date: ratio.date, base, quote, rate },
    ...markOf(receipt, stated),
    ...validityOf(receipt, asked, stated),
    ...{ receipt, rule },
  };
}

function isPublished({ inputs, steps: { peg, source, ratio } }: Receipt): boolean {
  const [base, quote] = [ratio.base.currency, ratio.quote.currency];
  if (source?.per === base)
    return inputs.some((row) => row.base === base && row.quote === quote && !row.bridge);
  return base !== quote && peg.some((one) => one.currency === quote && one.base === base);
}

/** The suspect mark of a single source's rate. It can come from a row that the rate is not computed from. */
function markOf({ inputs, steps: { source } }: Receipt, { suspect, reason }: Stated): Stated {
  const marked = inputs.flatMap((row) => row.suspect ?? []);
  const possible: readonly unknown[] = marked.length > 0 ? marked : SUSPICION_REASONS;
  if (source && suspect === true && possible.includes(reason)) return { suspect, reason };
  return marked.length > 0 ? { suspect: true, reason: marked[0] } : {};
}

/** The days for which an official rate is valid: to the end of its period at most, as a later rate may end it. */
function validityOf({ steps: { source, ratio } }: Receipt, asked: Asked, stated: Stated): Stated {
  const period = source && periodOf(source.provider);
  if (!period) return {};
  const day = dayNumber(ratio.date);
  const last = fromDayNumber(period === 'day' ? day + MOST_DAYS - 1 : periodEnd[period](day));
  const first = fromDayNumber(lastAskedDay(pickedBy(asked), day));
  const { valid_to: to } = stated;
  const isPossible = typeof to === 'string' && isCalendarDate(to) && to >= first && to <= last;
  return { valid_from: ratio.date, valid_to: isPossible ? to : last };
}

/** The rule that the response states; undefined if it does not lead to this address. */
function ruleOf(asked: Asked, stated: unknown): AppliedRule | undefined {
  const id = typeof stated === 'object' && stated !== null && 'id' in stated ? stated.id : undefined;
  const followed = rules.find((rule) => rule.id === id && leadsTo(rule, asked));
  return (
    followed && { id: followed.id, citation: followed.citation, day: asked.date, source: followed.source }
  );
}

function leadsTo(rule: Rule, { kind, providers, side, precision, date, pick }: Asked): boolean {
  return (
    side === undefined &&
    providers?.join() === rule.source &&
    pick === pickOf(rule) &&
    (kind === 'convert' || precision === 'full') &&
    isKeyDayOf(rule, date)
  );
}
