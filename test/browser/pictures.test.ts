import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noteReadingPlan } from '../../core/database/reading-plan.js';
import { providers } from '../../core/domain/providers.js';
import { projectFolder } from '../../core/process/project-files.js';
import { loadAll } from '../support/shipped-rates.js';
import { openSite, PAGES, type World } from './site.js';

const WIDTHS = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
];
const LOOKS = ['light', 'dark'] as const;

/** The evening of the newest day of the rates that ship with the project. */
const NOW = new Date('2026-04-16T17:30:00Z');

/** The rates that ship with the project, on their newest day, with a worker that reads all sources. */
const shippedWorld: World = {
  now: NOW,
  async fill(database) {
    await loadAll(database);
    const sources = providers.filter(({ publish_cadence: cadence }) => cadence !== null);
    const keys = sources.map(({ key }) => key);
    await noteReadingPlan(database, keys, NOW);
  },
};
const site = openSite(shippedWorld);

describe.each(PAGES.filter(({ name }) => name !== 'rules'))('$path', ({ name, path }) => {
  describe.each(WIDTHS)('on a screen of $width', (viewport) => {
    test.each(LOOKS)('fits, which its %s picture shows', (colorScheme) =>
      site.visit({ path, viewport, colorScheme }, async ({ page }) => {
        if (name === 'home') await page.locator('[data-chart][role=slider]').waitFor();
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBeLessThanOrEqual(viewport.width);
        const file = `${name}-${viewport.width}${colorScheme === 'dark' ? '-dark' : ''}.png`;
        await page.screenshot({ path: join(projectFolder, 'docs/pictures', file), scale: 'css' });
      }),
    );
  });
});
