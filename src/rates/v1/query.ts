import * as z from 'zod';
import { parameterError } from '../../http/errors.js';
import { pathOf, type QueryReader } from '../../http/route.js';
import { excerpt } from '../../parameters/excerpt.js';

const parameter = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

const schema = z.object({
  amount: parameter('Amount of the base; 1 by default', '10'),
  base: parameter('Base currency; EUR by default', 'USD'),
  symbols: parameter('Return only these currencies: codes separated by commas', 'USD,GBP'),
  from: parameter('Older name of `base`; takes precedence over it', 'USD'),
  to: parameter('Older name of `symbols`; takes precedence over it', 'GBP'),
});

export type V1Query = ReturnType<typeof read>;

/** Ignores unknown parameters, and uses the last of a repeated one, as clients of such services expect. */
// An amount is the number at the beginning of its text. 422 outside the limits, within which no product is infinite or 0.
function read(target: string) {
  const last = new Map(new URLSearchParams(target.slice(pathOf(target).length)));
  const base = last.get('from') ?? last.get('base');
  const symbols = last.get('to') ?? last.get('symbols');
  return {
    amount: amountOf(last.get('amount')),
    base: (base ?? 'EUR').trim().toUpperCase(),
    /** Undefined for all. */
    symbols: symbols
      ?.split(',')
      .map((code) => code.trim().toUpperCase())
      .filter(Boolean),
    /** Whether it names its base: a named base that is also the only symbol is refused. */
    namesBase: base !== undefined,
  };
}

export const v1Query: QueryReader<V1Query> = { schema, read };

function amountOf(text: string | undefined): number {
  if (text === undefined) return 1;
  const amount = Number.parseFloat(text.replaceAll(/(?<=\d)_(?=\d)/g, ''));
  if (amount >= 1e-30 && amount <= 1e30) return amount;
  throw parameterError(422, 'amount', `invalid amount: ${excerpt(text)} (write a number from 1e-30 to 1e30)`);
}
