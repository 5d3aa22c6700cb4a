import { currencylayer, fixer } from './apilayer.js';
import type { Dialect } from './dialect.js';
import { ecb, ecbBlend } from './ecb.js';
import { withExamples } from './examples.js';
import { exchangerateApi } from './exchangerate-api.js';
import { fawazahmed0 } from './fawazahmed0.js';
import { firefly } from './firefly.js';
import { openExchangeRates } from './open-exchange-rates.js';
import { prebid } from './prebid.js';

/** All dialects, each route with the body of its example request. */
export const dialects: readonly Dialect[] = await Promise.all(
  [openExchangeRates, fixer, currencylayer, prebid, exchangerateApi, fawazahmed0, firefly, ecb, ecbBlend].map(
    withExamples,
  ),
);
