import { amountIn } from '../../../core/domain/amount.js';
import { invalidAmount } from '../../parameters/hints.js';
import { parsedText } from '../../parameters/query.js';
import { details, ratesQuery, SOURCES } from '../engine/parameters.js';
import { ruleQuery } from '../rules/parameters.js';

const amount = parsedText(amountIn, invalidAmount).meta({
  description:
    'A decimal number of up to 30 digits. It may be negative and may have an exponent: 1e-7 is 0.0000001, with eight digits',
  examples: ['1250.00'],
});

/** The parameters of `POST /v2/convert`. */
export const conversionsQuery = ratesQuery
  .pick({ date: true, when: true, ...SOURCES, side: true, as_of: true })
  .extend(ruleQuery.shape);

/** The parameters of `GET /v2/convert/{base}/{quote}`. */
export const conversionQuery = conversionsQuery.extend({
  amount,
  expand: details(
    ['receipt'],
    'receipt: every row behind the rate with its evidence, and how the rate is computed from these rows',
  ),
});
