import { expect, test } from 'vitest';
import { currencies, lifetimeOf } from '../../../core/domain/currencies.js';
import { daysBetween } from '../../../core/domain/dates.js';
import { shippedRates } from '../../support/shipped-rates.js';

/** Between the last price of an old unit and the first of the new one. */
const MOST_DAYS = 400;
/** What a price may change in that time. */
const MOST_CHANGE = 2.5;

interface Price {
  date: string;
  /** Units of the other currency for one. */
  price: number;
}

/** The prices of each currency by provider and other currency, oldest first. */
async function pricesByCurrency(): Promise<Map<string, Map<string, Price[]>>> {
  const found = new Map<string, Map<string, Price[]>>();
  const note = (code: string, series: string, price: Price) => {
    const ofCode = found.get(code) ?? new Map<string, Price[]>();
    found.set(code, ofCode);
    const known = ofCode.get(series);
    if (known) known.push(price);
    else ofCode.set(series, [price]);
  };
  // The tables begin with the newest day.
  for (const { provider, date, base, quote, rate } of (await shippedRates()).reverse()) {
    note(base, `${provider} ${quote}`, { date, price: rate });
    note(quote, `${provider} ${base}`, { date, price: 1 / rate });
  }
  return found;
}

// A bank that prints the figure of an old unit under the code of the new one, or the reverse, is off by the ratio of both.
test('of the first rates, no price of a new unit contradicts that of the old one', async () => {
  const prices = await pricesByCurrency();
  const compared: string[] = [];
  for (const old of currencies.keys()) {
    const { successor } = lifetimeOf(old);
    for (const [series, ofOld] of (successor && prices.get(old)) ?? []) {
      const [last, first] = [ofOld.at(-1), prices.get(successor?.code ?? '')?.get(series)?.[0]];
      // Where the successor is older, such as the dollar after the sucre, the ratio was that of a later day.
      const days = last && first ? daysBetween(last.date, first.date) : 0;
      if (!last || !first || days <= 0 || days > MOST_DAYS) continue;
      const change = first.price / last.price / (successor?.ratio ?? 1);
      compared.push(`${series} ${old} ${change > 1 / MOST_CHANGE && change < MOST_CHANGE}`);
    }
  }
  expect(compared.filter((one) => one.endsWith('false'))).toEqual([]);
  expect(compared.length).toBeGreaterThan(2);
});
