import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts Chromium, which is named by CHROMIUM or where systems install it. Throws where there is none. */
export async function startChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('no Chromium: apt-get install chromium, or name it in CHROMIUM');
  }
  // Containers often run as root and have little shared memory, in which Chromium's own sandbox does not work.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}
