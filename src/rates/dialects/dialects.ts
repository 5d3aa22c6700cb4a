import type { Clock } from '../../../core/domain/clock.js';
import type { ErrorForms } from '../../http/error-reply.js';
import type { Route } from '../../http/route.js';
import type { Rates } from '../engine/rates.js';
import { currencylayer } from './currencylayer.js';
import { type Dialect, routesOf } from './dialect.js';
import { fawazahmed0 } from './fawazahmed0.js';
import { fixer } from './fixer.js';
import { openExchangeRates } from './open-exchange-rates.js';

const dialects: readonly Dialect[] = [openExchangeRates, fixer, currencylayer, fawazahmed0];

/** All routes that answer as other services do. */
export function dialectRoutes(dependencies: { rates: Rates; clock: Clock }): Route[] {
  return dialects.flatMap((dialect) => routesOf(dialect, dependencies));
}

export const dialectErrorForms: ErrorForms = new Map(
  dialects.map(({ segment, errorForm }) => [segment, errorForm]),
);
