import type { DrawPhrase } from './no/no-routes.js';
import type { Admin } from './operations/admin/create-admin.js';
import type { Following } from './operations/health.js';
import type { MetricsSources } from './operations/metrics-route.js';
import type { Probes } from './operations/probes.js';
import type { ReadActivity } from './pages/activity.js';
import type { FindPublication } from './publication/routes.js';
import type { RefuseRequest } from './rates/engine/ask.js';
import type { DatabaseGround } from './rendering/ground.js';
import type { RenderThreads } from './rendering/render-threads.js';

/**
 * What is read beside the snapshot and the catalogue, from a database or from a publication. What a publication does not
 * have is there all the same, and throws an HttpError 501.
 */
export interface Store extends DatabaseGround {
  /** What makes contents that take long; absent where they are made in place. */
  threads?: RenderThreads | undefined;
  /** Absent where every request can be answered. */
  refuseRequest?: RefuseRequest;
  activity: ReadActivity;
  drawPhrase: DrawPhrase;
  findPublication: FindPublication;
  probes: Probes;
  /** How far a publication is followed; absent without one. */
  following?: () => Following;
  /** What metrics are read from. */
  servers: MetricsSources;
  admin: Admin;
}
