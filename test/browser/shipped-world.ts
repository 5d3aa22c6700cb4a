import { pino } from 'pino';
import { noteReadingPlan } from '../../core/database/reading-plan.js';
import { providers } from '../../core/domain/providers.js';
import { bootstrap } from '../../worker/import/bootstrap.js';
import type { World } from './site.js';

/** The evening of the newest day of the rates that ship with the project. */
const NOW = new Date('2026-04-16T17:30:00Z');

/** The rates that ship with the project, on their newest day, with a worker that reads all sources. */
export const shippedWorld: World = {
  now: NOW,
  async fill(database) {
    await bootstrap(database, pino({ level: 'silent' }), { clock: () => NOW });
    const sources = providers.filter(({ publish_cadence: cadence }) => cadence !== null);
    const keys = sources.map(({ key }) => key);
    await noteReadingPlan(database, keys, NOW);
  },
};
