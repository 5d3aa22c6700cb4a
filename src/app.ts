import express, { type Express } from 'express';
import { addressRoutes } from './address/index.js';
import { busRoutes } from './bus/index.js';
import type { AppContext } from './context.js';
import { currenciesRoutes } from './currencies/index.js';
import { discoveryRoutes } from './discovery/index.js';
import { answerErrors } from './http/error-handler.js';
import { knownMethods, refuseUnknown } from './http/methods.js';
import { openRequest } from './http/open-request.js';
import { healthRoutes } from './operations/health.js';
import { providersRoutes } from './providers/index.js';
import { refusalRoutes } from './refusal/index.js';
import { translateRoutes } from './translate/index.js';
import { weatherRoutes } from './weather/index.js';

/** The whole API as one Express application: what every answer shares, the capabilities, then the errors. */
export function createApp(context: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    openRequest(request, response, context.log);
    next();
  });
  app.use(knownMethods(context.document));
  app.use(healthRoutes(context));
  app.use(currenciesRoutes(context));
  app.use(providersRoutes(context));
  app.use(weatherRoutes(context));
  app.use(busRoutes(context));
  app.use(addressRoutes(context));
  app.use(translateRoutes(context));
  app.use(refusalRoutes(context));
  app.use(discoveryRoutes(context));
  app.use(refuseUnknown(context.document));
  app.use(answerErrors(context.log));
  return app;
}
