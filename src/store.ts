import type { DrawPhrase } from './no/no-routes.js';
import type { Admin } from './operations/admin/create-admin.js';
import type { Following, Probes, Servers } from './operations/health.js';
import type { ReadActivity } from './pages/activity.js';
import type { FindPublication } from './publication/routes.js';
import type { RefuseRequest } from './rates/engine/ask.js';
import type { DatabaseContext } from './rendering/database-context.js';
import type { RenderThreads } from './rendering/render-threads.js';

/** Reading data that a publication lacks throws an HttpError 501. */
export interface Store extends DatabaseContext {
  /** Absent if all contents are made in place. */
  threads?: RenderThreads | undefined;
  refuseRequest?: RefuseRequest;
  activity: ReadActivity;
  drawPhrase: DrawPhrase;
  findPublication: FindPublication;
  probes: Probes;
  /** Absent without a publication. */
  following?: () => Following;
  servers: Servers;
  admin: Admin;
}
