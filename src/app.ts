import express, { type Express } from 'express';
import { addressRoutes } from './address/index.js';
import { busRoutes } from './bus/index.js';
import type { AppContext } from './context.js';
import { currenciesRoutes } from './currencies/index.js';
import { discoveryRoutes } from './discovery/index.js';
import { hangmanRoutes } from './hangman/index.js';
import { answerErrors } from './http/error-handler.js';
import { knownMethods, refuseUnknown } from './http/methods.js';
import { followRequest, openRequest } from './http/open-request.js';
import { healthRoutes } from './operations/health.js';
import { providersRoutes } from './providers/index.js';
import { answerHot, openHotBodies } from './rates/hot-bodies.js';
import { ratesRoutes } from './rates/index.js';
import { refusalRoutes } from './refusal/index.js';
import type { Handler } from './server.js';
import { translateRoutes } from './translate/index.js';
import { weatherRoutes } from './weather/index.js';

/** The application, and in front of it the answers that are at hand. */
export function createHandler(context: AppContext): Handler {
  const { snapshot, clock, log, hot = openHotBodies() } = context;
  const app = createApp({ ...context, hot });
  return answerHot(
    {
      hot,
      snapshot,
      clock,
      open: (request, response) => ['x-request-id', followRequest(request, response, log)],
    },
    app,
  );
}

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
  app.use(ratesRoutes(context));
  app.use(currenciesRoutes(context));
  app.use(providersRoutes(context));
  app.use(weatherRoutes(context));
  app.use(busRoutes(context));
  app.use(addressRoutes(context));
  app.use(translateRoutes(context));
  app.use(hangmanRoutes(context));
  app.use(refusalRoutes(context));
  app.use(discoveryRoutes(context));
  app.use(refuseUnknown(context.document));
  app.use(answerErrors(context.log));
  return app;
}
