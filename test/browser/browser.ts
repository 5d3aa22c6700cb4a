import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Starts the Chromium that the system has, or the one that CHROMIUM names. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error('no Chromium: apt-get install chromium, or name it in CHROMIUM');
  }
  // Containers often run as root and have little shared memory, in which Chromium's own sandbox does not work.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** A page that notes what it should not do. */
export interface WatchedPage {
  page: Page;
  /** What was written to the console as an error or a warning, and what was thrown. */
  problems: string[];
  /** Requests to another server. */
  foreign: string[];
  /** What came over the network so far, heads included, in bytes. */
  transferred(): Promise<number>;
  close(): Promise<void>;
}

/** Opens a page of the service in a new context, as a reader in Britain unless told otherwise. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const foreign: string[] = [];
  const sizes: Promise<number>[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin) foreign.push(request.url());
  });
  page.on('requestfinished', (request) => {
    sizes.push(
      request
        .sizes()
        .then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    );
  });
  return {
    page,
    problems,
    foreign,
    async transferred() {
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    close: () => context.close(),
  };
}
