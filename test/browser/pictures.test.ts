import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../core/process/project-files.js';
import { shippedWorld } from './shipped-world.js';
import { openSite, PAGES } from './site.js';

const WIDTHS = [
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
];
const LOOKS = ['light', 'dark'] as const;

const site = openSite(shippedWorld);

describe.each(PAGES.filter(({ name }) => name !== 'rules'))('$path', ({ name, path }) => {
  describe.each(WIDTHS)('on a screen of $width', (viewport) => {
    test.each(LOOKS)('fits, which its %s picture shows', (colorScheme) =>
      site.visit(
        path,
        async ({ page }) => {
          if (name === 'home') await page.locator('[data-chart] canvas').waitFor();
          const width = await page.evaluate('document.documentElement.scrollWidth');
          expect(width).toBeLessThanOrEqual(viewport.width);
          const file = `${name}-${viewport.width}${colorScheme === 'dark' ? '-dark' : ''}.png`;
          await page.screenshot({ path: join(projectFolder, 'docs/pictures', file), scale: 'css' });
        },
        { viewport, colorScheme },
      ),
    );
  });
});
