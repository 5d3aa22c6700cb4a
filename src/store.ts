import type { DrawPhrase } from './no/no-routes.js';
import type { Admin } from './operations/admin/create-admin.js';
import type { Following } from './operations/health.js';
import type { MetricsSources } from './operations/metrics-route.js';
import type { Probes } from './operations/probes.js';
import type { ReadActivity } from './pages/activity.js';
import type { FindPublication } from './publication/routes.js';
import type { RefuseRequest } from './rates/engine/ask.js';
import type { DatabaseContext } from './rendering/database-context.js';
import type { RenderThreads } from './rendering/render-threads.js';

/**
 * The data besides the snapshot and the catalogue, from a database or from a publication. Reading data that a publication
 * lacks throws an HttpError 501.
 */
export interface Store extends DatabaseContext {
  /** Makes contents that take long; absent if they are made in place. */
  threads?: RenderThreads | undefined;
  /** Absent if every request can be handled. */
  refuseRequest?: RefuseRequest;
  activity: ReadActivity;
  drawPhrase: DrawPhrase;
  findPublication: FindPublication;
  probes: Probes;
  /** How far the API follows a publication; absent without one. */
  following?: () => Following;
  /** The servers from which metrics are read. */
  servers: MetricsSources;
  admin: Admin;
}
