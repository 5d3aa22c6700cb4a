import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dyingAfter } from '../../support/dying-disk.js';
import { publishInto } from '../../support/edge.js';
import { storeRows } from '../../support/rates.js';
import { row } from '../rates/sources/in-memory.js';
import { follow, openWorld } from './following.js';

/** Currencies that have no rates. */
const OTHERS =
  'SEK NOK PLN CZK HUF RON ISK TRY RSD MKD ALL MDL GEL AMD AZN KZT KGS UZS TJS MNT INR PKR LKR BDT THB VND IDR';

const world = openWorld();

it('an edge starts from what a killed publisher has left, and follows it', { timeout: 120_000 }, async () => {
  const following = await world.start();
  const served = new Set<string>();
  let survived = false;
  // The first steps write what has a name of its own.
  for (let steps = 18; !survived; steps++) {
    world.hours = steps / 100;
    // Of a currency that is new, so that its copies in `currencies.json` and `providers.json` change.
    const quote = OTHERS.split(' ')[steps - 18] ?? '';
    await storeRows(world.database, [row(`BOC 2026-03-20 USD/${quote} 10.5`)]);
    const disk = dyingAfter(steps);
    const publishing = publishInto(world.folder, world.database, world.clock(), { disk });
    survived = (await Promise.allSettled([publishing]))[0].status === 'fulfilled';
    const edge = await world.start({
      location: [world.origin.url, world.folder][steps % 2] ?? '',
      dataDir: join(world.dataDir, String(steps)),
    });
    expect([steps, edge.edge.publication.fault()]).toEqual([steps, undefined]);
    const asked = await fetch(`${edge.url}/v2/rate/USD/${quote}.txt?date=2026-03-20`);
    served.add(survived ? 'newest' : `${asked.status}`);
    expect([steps, await follow(edge), await follow(following)]).toEqual([steps, undefined, undefined]);
    await world.stop(edge);
    await world.publish();
    expect([steps, await follow(following)]).toEqual([steps, undefined]);
  }
  expect(served).toEqual(new Set(['404', '200', 'newest']));
});
