import express, { type Express, type Router } from 'express';
import { addressRoutes } from './address/index.js';
import { busRoutes } from './bus/index.js';
import type { AppContext } from './context.js';
import { currenciesRoutes } from './currencies/index.js';
import { discoveryRoutes } from './discovery/index.js';
import { hangmanRoutes } from './hangman/index.js';
import { answerError, answerErrors } from './http/error-handler.js';
import { type Limits, limited, openLimits } from './http/limits.js';
import { knownMethods, refuseUnknown } from './http/methods.js';
import { openRequest, type RequestWatch, watchRequests } from './http/open-request.js';
import { openHotAnswers } from './http/response-cache.js';
import { adminRoutes } from './operations/admin/index.js';
import { healthRoutes } from './operations/health.js';
import { type Metrics, openMetrics } from './operations/metrics.js';
import { metricsRoutes } from './operations/metrics-route.js';
import { openProbes } from './operations/probes.js';
import { providersRoutes } from './providers/index.js';
import { answerRatesFirst } from './rates/front.js';
import { ratesRoutes } from './rates/routes/index.js';
import { refusalRoutes } from './refusal/index.js';
import type { Handler } from './server.js';
import { translateRoutes } from './translate/index.js';
import { weatherRoutes } from './weather/index.js';

/** The application, and in front of it what is asked most. */
export function createHandler(given: AppContext): Handler {
  const { hot = openHotAnswers(), metrics = openMetrics() } = given;
  const context = {
    ...given,
    hot,
    metrics,
    cache: metrics.watchCache(given.cache),
    upstreamObserver: given.upstreamObserver ?? metrics.upstream,
  };
  const watch = watchRequests(context.log, metrics.countRequest);
  const limits = openLimits(context.config, context.redis);
  const rates = ratesRoutes(context);
  const app = createApp(context, { metrics, watch, limits, rates: rates.router });
  return answerRatesFirst(
    {
      hot,
      snapshot: context.snapshot,
      clock: context.clock,
      watch,
      limit: limits.currency,
      byPath: rates.byPath,
      countHot: metrics.countHot,
      answerError: (thrown, request, response) => answerError(context.log, thrown, request, response),
    },
    app,
  );
}

interface Shared {
  metrics: Metrics;
  watch: RequestWatch;
  limits: Limits;
  rates: Router;
}

/** The whole API as one Express application: what every answer shares, the capabilities, then the errors. */
function createApp(context: AppContext, { metrics, watch, limits, rates }: Shared): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', context.config.TRUST_PROXY);
  app.use((request, response, next) => {
    openRequest(request, response, watch);
    next();
  });
  app.use(knownMethods(context.document));
  const probes = openProbes(context);
  app.use(healthRoutes(context, probes));
  app.use(metricsRoutes(context, metrics, probes));
  app.use('/v2', limited(limits.currency));
  app.use(rates);
  app.use(currenciesRoutes(context));
  app.use(providersRoutes(context));
  app.use(['/weather', '/sg', '/detect', '/translate'], limited(limits.relay));
  app.use(weatherRoutes(context));
  app.use(busRoutes(context));
  app.use(addressRoutes(context));
  app.use(translateRoutes(context));
  app.use(['/random', '/no'], limited(limits.utility));
  app.use(hangmanRoutes(context));
  app.use(refusalRoutes(context));
  app.use(discoveryRoutes(context));
  app.use(adminRoutes(context));
  app.use(refuseUnknown(context.document));
  app.use(answerErrors(context.log));
  return app;
}
