import type { Clock } from '../../../core/domain/clock.js';
import type { ErrorForms } from '../../http/reply.js';
import type { Route } from '../../http/route.js';
import type { Rates } from '../rates.js';
import { currencylayer } from './currencylayer.js';
import type { Dialect } from './dialect.js';
import { errorFormOf, makerOf, routesOf } from './dialect-routes.js';
import { ecb, ecbBlend } from './ecb.js';
import { withExamples } from './examples.js';
import { exchangerateApi } from './exchangerate-api.js';
import { fawazahmed0 } from './fawazahmed0.js';
import { firefly } from './firefly.js';
import { fixer } from './fixer.js';
import { openExchangeRates } from './open-exchange-rates.js';
import { prebid } from './prebid.js';

export const dialects: readonly Dialect[] = await Promise.all(
  [openExchangeRates, fixer, currencylayer, prebid, exchangerateApi, fawazahmed0, firefly, ecb, ecbBlend].map(
    withExamples,
  ),
);

export function dialectRoutes(dependencies: { rates: Rates; clock: Clock }): Route[] {
  return dialects.flatMap((dialect) => routesOf(dialect, dependencies));
}

export const makeDialect = makerOf(dialects);

export const dialectErrorForms: ErrorForms = new Map(
  dialects.flatMap((dialect) => {
    const form = errorFormOf(dialect);
    return form ? [[dialect.segment, form]] : [];
  }),
);
