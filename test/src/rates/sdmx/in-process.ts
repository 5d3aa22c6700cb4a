import { sdmxRoutes } from '../../../../src/rates/sdmx/routes.js';
import { openRoutes, type Routes } from '../routes/in-process.js';

/** The routes of SDMX beside those of rates, without a database: nothing is known of what was replaced. */
export function openSdmx(given: Omit<Parameters<typeof openRoutes>[0], 'others'>): Routes {
  return openRoutes({
    ...given,
    others: sdmxRoutes,
  });
}
