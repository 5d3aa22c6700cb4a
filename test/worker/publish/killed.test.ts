import { rename, rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dyingAfter } from '../../support/dying-disk.js';
import { databaseWith, someRates, storeRows } from '../../support/rates.js';
import { filesIn, type Ground, ground, verified } from './support.js';

let g: Ground;
beforeEach(async () => {
  g = await ground(await databaseWith(someRates('2026-03-16')));
});
afterEach(() => g.close());

it('at any step leaves a publication that verifies, and the next one finishes it', async () => {
  const first = dyingAfter(Number.POSITIVE_INFINITY);
  await g.publish(0, { disk: first });
  const rate = (day: number, rate: number) => ({
    provider: 'ECB',
    date: '2026-03-23',
    base: 'EUR',
    quote: 'USD',
    rate: rate + day / 1000,
  });
  let survived = 0;
  let size = 1;
  for (let steps = 0; survived < 1; steps++) {
    await storeRows(g.database, [rate(steps, 1.1)]);
    const dying = dyingAfter(steps);
    const died = await g.publish(steps, { disk: dying }).then(
      () => false,
      (error: Error) => error.message === 'killed',
    );
    if (!died) survived++;
    const after = await verified(g.folder, steps);
    expect([0, 1]).toContain(after.checkpoint.size - size);
    await storeRows(g.database, [rate(steps, 1.2)]);
    await g.publish(steps);
    const { manifest, checkpoint } = await verified(g.folder, steps);
    size = checkpoint.size;
    const { version } = await g.database.prisma.dataVersion.findFirstOrThrow({
      orderBy: { version: 'desc' },
    });
    expect(manifest.data.version).toBe(Number(version));
    expect([...(await filesIn(g.folder)).keys()].filter((path) => path.startsWith('.'))).toEqual([]);
  }
}, 120_000);

it('while it takes up the log of a copy, is no harm either', async () => {
  await g.publish();
  const copy = `${g.folder}-copy`;
  let survived = false;
  for (let steps = 0; !survived; steps += 9) {
    await rm(copy, { recursive: true, force: true });
    await rename(g.folder, copy);
    survived = await g.publish(1, { resume: copy, disk: dyingAfter(steps) }).then(
      () => true,
      () => false,
    );
    await g.publish(1, { resume: copy });
    await verified(g.folder, 1);
  }
}, 120_000);
