import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';

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
  // Less than the time limit of a test: on a busy machine three browsers may need long for a page.
  page.setDefaultTimeout(100_000);
  const problems: string[] = [];
  const foreign: string[] = [];
  const finished: Request[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin) foreign.push(request.url());
  });
  page.on('requestfinished', (request) => finished.push(request));
  return {
    page,
    problems,
    foreign,
    async transferred() {
      const sizes = await Promise.all(finished.map((request) => request.sizes()));
      return sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0);
    },
    close: () => context.close(),
  };
}
