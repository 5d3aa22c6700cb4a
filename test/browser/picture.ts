import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectFolder } from '../../core/process/project-files.js';

const QUALITY = 0.8;

/** Saves what a page shows in docs/pictures, as WebP, which takes a third of a PNG. */
export async function savePicture(page: Page, name: string): Promise<void> {
  const png = (await page.screenshot({ scale: 'css' })).toString('base64');
  // A page of its own, as the policy of the service's pages allows no data URLs.
  const blank = await page.context().newPage();
  const webp = await blank.evaluate<string>(`(async () => {
    const blob = await (await fetch('data:image/png;base64,${png}')).blob();
    const picture = await createImageBitmap(blob);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [picture.width, picture.height];
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', ${QUALITY});
  })()`);
  await blank.close();
  const content = Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64');
  await writeFile(join(projectFolder, 'docs/pictures', `${name}.webp`), content);
}
