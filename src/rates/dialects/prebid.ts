import { isCurrency } from '../../../core/domain/currencies.js';
import { roundForStorage } from '../../../core/domain/rounding.js';
import { HttpError, parameterError } from '../../http/errors.js';
import { invalidCurrency } from '../../parameters/hints.js';
import { CURRENCIES } from '../engine/request.js';
import { type Dialect, type DialectAnswer, type DialectRequest, noRates } from './dialect.js';
import { codesIn } from './parameters.js';

/** The bytes of a rate with its code in the body. */
const RATE_BYTES = 24;
const DOLLAR = 'USD';
const DEFAULT_BASES = [DOLLAR, 'GBP', 'EUR'];

/** The file with which Prebid.js and Prebid Server convert bids: https://docs.prebid.org/dev-docs/modules/currency.html */
export const prebid: Dialect = {
  name: 'Prebid',
  folders: ['/prebid'],
  routes: [
    {
      path: 'latest.json',
      summary: "The latest rates, in the form of Prebid's currency file",
      parameters: {
        bases: `Base currencies, by default ${DEFAULT_BASES}, or \`all\`. If they include every currency of the bids, Prebid.js rounds nothing.`,
      },
      answer: conversions,
    },
  ],
  errors: [noRates('HRK'), new HttpError(422, invalidCurrency('EURO'))],
};

function conversions({ query }: DialectRequest): DialectAnswer {
  const bases = basesIn(query.bases);
  const rows = (bases?.length ?? CURRENCIES) * CURRENCIES;
  const wanted = { base: DOLLAR };
  return {
    wanted,
    cost: { rows, wholeBytes: rows * RATE_BYTES },
    async body(read) {
      const { date, timestamp, rates } = await read.ofDay(wanted);
      const found: Record<string, Record<string, number>> = {};
      for (const base of bases ?? dollarFirst(rates.map(({ quote }) => quote))) {
        const { rates } = await read.ofDay({ base });
        const rounded = rates.map(({ quote, rate }) => [quote, roundForStorage(rate)]);
        if (rates.length > 0) found[base] = Object.fromEntries(rounded);
      }
      // A client would mistake an empty file for the newest rates.
      if (Object.keys(found).length === 0) throw noRates(bases?.join(', ') ?? 'any');
      return {
        generatedAt: new Date(timestamp * 1000).toISOString(),
        dataAsOf: `${date}T00:00:00.000Z`,
        conversions: found,
      };
    },
  };
}

/** The requested bases; undefined for all. Throws an HttpError that names an unknown currency. */
function basesIn(text: string | undefined): string[] | undefined {
  if (text?.toLowerCase() === 'all') return undefined;
  const codes = codesIn(text) ?? DEFAULT_BASES;
  const unknown = codes.find((code) => !isCurrency(code));
  if (unknown !== undefined) throw parameterError(422, 'bases', invalidCurrency(unknown), 'unknown_currency');
  return dollarFirst([...new Set(codes)]);
}

/** Puts the dollar first: clients convert currencies without a direct rate by way of the first base. */
function dollarFirst(codes: readonly string[]): string[] {
  return [...codes.filter((code) => code === DOLLAR), ...codes.filter((code) => code !== DOLLAR)];
}
