import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectText, faultsOf, openSite, patiently } from './site.js';

const site = openSite();
const { visiting, opening } = site;

const DAYS = '/v2/rates?base=EUR&quotes=USD&from=2025-09-18';

async function rowsOf(target: string) {
  const response = await fetch(`${site.url()}${target}`);
  return (await response.json()) as { date: string; quality: { sources: number; excluded: number } }[];
}

const isReadOf = (text: string) => (url: string) => url.includes('/v2/rates?') && url.includes(text);
const drawn = (page: Page) => page.locator('[data-point]').waitFor();
/** As `visiting`, once the chart is drawn. */
const charting: typeof visiting = (name, where, work) =>
  visiting(name, where, async (watched) => {
    await drawn(watched.page);
    await work(watched);
  });
/** Gives the page of a span other rows. */
const withRows = (page: Page, span: string, rows: readonly object[]) =>
  page.route(new RegExp(`span=${span}$`), async (route) => {
    const response = await route.fetch();
    const json = JSON.stringify(rows).replaceAll('"', '&quot;');
    const body = (await response.text()).replace(/(?<=rows&quot;:)\[.*?\](?=,&quot;blend)/, json);
    await route.fulfill({ response, body });
  });
/** How much of the chart's width has its line. */
const SHARE_OF_LINE = `{
  const path = document.querySelector('.line-chart .line').getAttribute('d');
  const runs = path.split('M').slice(1).map((run) => run.split('L').map(Number.parseFloat));
  runs.reduce((sum, run) => sum + run.at(-1) - run[0], 0) / 720;
}`;

describe('the chart', () => {
  charting('draws the pair, and shows the day that the pointer is on', '/', async ({ page }) => {
    const newest = /^[+−]?\d\.\d\d% since 17 Feb 2026$/;
    await expectText(page, '[data-readout]', newest);
    const plot = page.locator('[data-chart]');
    const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    const inMarch = /^1\.1\d+ \d+ Mar 2026 · \d+ sources.* · 1\.1\d+ to 1\.1\d+$/;
    await expectText(page, '[data-readout]', inMarch);
    await page.mouse.move(x, y - 100);
    await expectText(page, '[data-readout]', newest);
  });

  charting('keeps the newest rate within its chip, also in a wide font', '/', async ({ page }) => {
    const room = `document.body.style.fontFamily = 'DejaVu Sans';
      const [chip, text] = ['rect', 'text:last-child'].map((one) => document.querySelector('.levels ' + one));
      const [outer, inner] = [chip.getBoundingClientRect(), text.getBoundingClientRect()];
      Math.min(inner.left - outer.left, outer.right - inner.right)`;
    expect(await page.evaluate<number>(`{ ${room} }`)).toBeGreaterThan(0);
  });

  charting('moves through the days by keyboard', '/', async ({ page }) => {
    const slider = page.locator('[data-point]');
    await slider.press('ArrowLeft');
    const said = () => slider.getAttribute('aria-valuetext');
    await patiently(async () => expect(await said()).toContain('19\u00a0Mar\u00a02026'));
    await page.keyboard.press('Home');
    await patiently(async () => expect(await said()).toContain('17\u00a0Feb\u00a02026'));
  });

  visiting('counts the sources of any day as the API does', '/?span=6m', async ({ page }) => {
    await expectText(page, '[data-legend]', /^Blend of \d+ sources/);
    const slider = page.locator('[data-point]');
    await slider.press('Home');
    const rows = await rowsOf(`${DAYS}&expand=quality`);
    const last = Number(await slider.getAttribute('max'));
    for (let at = 0; at < last; at += 1 + Math.floor(Math.random() * 20)) {
      while (Number(await slider.inputValue()) < at) await page.keyboard.press('ArrowRight');
      const said = (await slider.getAttribute('aria-valuetext'))?.replaceAll('\u00a0', ' ') ?? '';
      const { date = '', quality } = rows.at(at - last - 1) ?? {};
      const day = new Date(date).toLocaleDateString('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
      const leftOut = quality?.excluded ? `, ${quality.excluded} left out` : '';
      expect(said).toContain(`${day}: `);
      expect(said).toContain(`${quality?.sources} sources${leftOut}, `);
    }
  });

  test.each([
    ['5d', 5, 5],
    ['6m', 120, 140],
    ['1y', 145, 265],
    ['5y', 255, 265],
    ['all', 320, 330],
  ])('draws the span %s with %i to %i points', (span, least, most) =>
    site.visit('/', async ({ page }) => {
      await drawn(page);
      await page.click(`[data-choice="${span}"]`);
      await page.waitForURL(`**span=${span}**`);
      await page.locator('[data-chart]:not([aria-busy])').waitFor();
      const points = Number(await page.getAttribute('[data-point]', 'max')) + 1;
      expect([points >= least, points <= most]).toEqual([true, true]);
      await page.locator('.request label', { hasText: 'Chart' }).click();
      const request = (await page.textContent('[data-snippets=series] [data-snippet=URL]'))?.trim() ?? '';
      expect(request).toContain('expand=providers');
      expect((await fetch(request)).status).toBe(200);
    }),
  );

  visiting('shows the newest rate, the lowest and the highest, whatever is drawn', '/', async ({ page }) => {
    const result = (await page.textContent('[data-result]')) ?? '';
    const [, rate = ''] = /1 EUR = (1\.\d{4}) USD/.exec(result) ?? [];
    await expectText(page, '.levels text:last-child', rate);
    const months = await page.textContent('[data-high]');
    await page.click('[data-choice="1y"]');
    await expectText(page, '[data-high]', /^\d\.\d{4} \d+ \w+ 202[56]$/);
    await expectText(page, '[data-readout]', /^[+−]\d\.\d\d% since \d+ Mar 2025$/);
    await page.click('[data-choice="all"]');
    await expectText(page, '[data-low]', /^\d\.\d+ \w+ \d{4}$/);
    await page.click('[data-choice="1m"]');
    await patiently(async () => expect(await page.textContent('[data-high]')).toBe(months));
  });

  visiting('draws no line over years without rates', '/?span=all', async ({ page }) => {
    const widthOf = () => page.evaluate<number>(SHARE_OF_LINE);
    await drawn(page);
    await patiently(async () => expect(await widthOf()).toBeGreaterThan(0.8));
    const months = ['2005-01', '2005-02', '2005-03', '2025-01', '2025-02', '2025-03'];
    const pair = { base: 'EUR', quote: 'USD' };
    const rows = months.map((month, at) => ({ date: `${month}-01`, ...pair, rate: 1.1 + at / 100 }));
    await withRows(page, 'all', rows);
    await page.click('[data-choice="1m"]');
    await expectText(page, '[data-choice][aria-current]', /^1M$/);
    await page.click('[data-choice="all"]');
    await patiently(async () => expect(await widthOf()).toBeLessThan(0.1));
  });

  charting('moves within a single month, but not within a single day', '/', async ({ page }) => {
    const row = { date: '2026-03-01', base: 'EUR', quote: 'USD', rate: 1.1 };
    const stats = { first: 1.09, last: 1.11, last_date: '2026-03-20', low: 1.05, high: 1.15 };
    await withRows(page, 'all', [{ ...row, stats }]);
    await withRows(page, '6m', [row]);
    await page.route(/expand=providers$/, (route) => route.fulfill({ json: [row] }));
    await page.click('[data-choice="6m"]');
    await expectText(page, '[data-readout]', /^1\.1000 1 Mar 2026$/);
    expect(await page.locator('[data-point]').isVisible()).toBe(false);
    await page.click('[data-choice="all"]');
    await expectText(page, '[data-readout]', /^\+1\.83% since Mar 2026$/);
    await page.press('[data-point]', 'Home');
    await expectText(page, '[data-readout]', /^1\.0900 Mar 2026 · 1\.0500 to 1\.1500$/);
  });

  charting('has its crosshair on the point that it reads out', '/?span=6m', async ({ page }) => {
    const plot = (await page.locator('.line-chart').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    for (const share of [0.02, 0.31, 0.77, 0.99]) {
      await page.mouse.move(plot.x + share * plot.width, plot.y + plot.height / 2);
      const at = async (part: string) => (await page.getAttribute(`.line-chart .${part}`, 'd')) ?? '';
      const [, x = '', y = ''] = /^M([\d.]+) ([\d.]+)h0$/.exec(await at('pointed')) ?? [];
      expect(await at('line')).toContain(`${Number(x).toFixed(1)} ${Number(y).toFixed(1)}`);
      expect(await at('crosshair')).toMatch(new RegExp(`^M${x} 0`));
      // No point is nearer to the pointer than half of the widest step between days.
      expect(Math.abs(Number(x) / 720 - share)).toBeLessThan(0.02);
    }
  });

  charting('shows a part that two sliders select', '/?span=5y', async ({ page }) => {
    const whole = await page.textContent('[data-readout]');
    const [first, last] = [page.getByLabel('First date shown'), page.getByLabel('Last date shown')];
    await first.focus();
    await page.keyboard.press('End');
    await last.focus();
    expect(await first.getAttribute('aria-valuetext')).toBe('9\u00a0March\u00a02026');
    await expectText(page, '[data-readout]', /since Mar 2026/);
    expect(await page.getAttribute('[data-point]', 'max')).toBe('1');
    await page.click('[data-choice="1y"]');
    await page.click('[data-choice="5y"]');
    await patiently(async () => expect(await page.textContent('[data-readout]')).toBe(whole));
  });

  charting('has a logarithmic scale for years, kept by its address', '/?span=all', async ({ page }) => {
    const line = () => page.getAttribute('.line-chart .line', 'd');
    const linear = await line();
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await page.waitForURL('**scale=log**');
    await patiently(async () => expect(await line()).not.toBe(linear));
    const logarithmic = await line();
    await page.reload();
    await patiently(async () => expect(await line()).toBe(logarithmic));
    await page.click('[data-choice="1m"]');
    await expectText(page, '[data-choice][aria-current]', /^1M$/);
    expect(await page.getByRole('link', { name: 'Log', exact: true }).isVisible()).toBe(false);
    await page.click('[data-choice="all"]');
    await patiently(async () => expect(await line()).toBe(logarithmic));
  });

  charting('is saved as a picture and as figures', '/?span=1y', async ({ page }) => {
    const saved = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByLabel(`Download as ${name}`).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      return { name: download.suggestedFilename(), content: Buffer.concat(chunks) };
    };
    const csv = await saved('CSV');
    expect([csv.name, csv.content.toString()]).toEqual([
      expect.stringMatching(/^EUR-USD_[\d-]+_[\d-]+(_\w+)?\.csv$/),
      expect.stringMatching(/^date,base,quote,rate/),
    ]);
    const png = await saved('PNG');
    expect([png.name, png.content.subarray(1, 4).toString()]).toEqual(['EUR-USD.png', 'PNG']);
    // A picture without lines is far smaller.
    expect(png.content.length).toBeGreaterThan(15_000);
  });

  opening('keeps what is drawn while it can not be read, and then goes on', async ({ page }) => {
    await page.goto(site.url(), { waitUntil: 'networkidle' });
    await drawn(page);
    const shown = await page.textContent('[data-readout]');
    const problem = page.locator('[data-problem]');
    await page.context().setOffline(true);
    await page.click('[data-choice="6m"]');
    await problem.getByText('Cannot load the chart.').waitFor();
    expect(await page.textContent('[data-readout]')).toBe(shown);
    await problem.getByRole('button', { name: 'Try again' }).click();
    await page.context().setOffline(false);
    await expectText(page, '[data-readout]', 'since 18 Sept 2025');
    expect(await problem.textContent()).toBe('');
    await page.context().setOffline(true);
    await page.click('[data-choice="5d"]');
    await problem.getByText('Cannot load the chart.').waitFor();
    await page.context().setOffline(false);
    await expectText(page, '[data-readout]', 'since 16 Mar 2026');
  });
});

describe('the sources of a chart', () => {
  charting('are listed by how far they are from the blend, each with its line', '/', async ({ page }) => {
    await page.getByRole('link', { name: 'Blend of' }).click();
    const entries = page.locator('.sources button');
    await page.getByText('European Central Bank').waitFor();
    const shares = await entries.locator('span').allTextContents();
    expect(shares.length).toBeGreaterThan(30);
    const numbers = shares.map((share) => Number.parseFloat(share));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    const ecb = entries.filter({ hasText: 'European Central Bank' });
    expect(await ecb.textContent()).toMatch(/^European Central Bank 0\.\d+% ECB 2\d days$/);
    expect(await faultsOf(page)).toEqual([]);
    const compared = page.locator('.key-compared');
    expect(await compared.isVisible()).toBe(false);
    await ecb.hover();
    await patiently(async () => expect(await compared.textContent()).toBe('ECB'));
    await page.hover('h1');
    await patiently(async () => expect(await compared.isVisible()).toBe(false));
  });

  charting('are compared by keyboard, and kept by choosing them', '/', async ({ page }) => {
    await page.getByText('Compare sources').click();
    const ecb = page.locator('.sources button[data-key=ECB]');
    await page.getByText('European Central Bank').waitFor();
    await ecb.focus();
    await page.keyboard.press('Enter');
    expect(await ecb.getAttribute('aria-pressed')).toBe('true');
    await page.press('[data-point]', 'ArrowLeft');
    await expectText(page, '[data-readout]', / · ECB 1\.1\d+$/);
    await ecb.click();
    await page.focus('[data-point]');
    await patiently(async () => expect(await page.textContent('[data-readout]')).not.toContain('ECB'));
  });

  charting('are none of a rate that follows from a peg', '/?base=EUR&quote=AED', async ({ page }) => {
    await page.getByText('Compare sources').click();
    await page.getByText('This rate has no sources').waitFor();
  });

  charting('are read for years only when the reader opens them', '/?span=1y', async ({ page }) => {
    const read: string[] = [];
    page.on('request', (request) => read.push(request.url()));
    await page.click('[data-choice="5y"]');
    await expectText(page, '[data-low]', 'week of');
    await page.locator('[data-chart]:not([aria-busy])').waitFor();
    expect(read.filter(isReadOf('group=week'))).toEqual([]);
    await page.getByText('Compare sources').click();
    await page.locator('.sources button').first().waitFor();
    expect(read.filter(isReadOf('providers')).length).toBe(1);
  });

  opening('can be read again where that has failed', async ({ page }) => {
    await page.goto(`${site.url()}/?span=1y`, { waitUntil: 'networkidle' });
    await drawn(page);
    await page.context().setOffline(true);
    await page.getByText('Compare sources').click();
    await page.getByText('Cannot load the sources.').waitFor();
    await page.locator('[data-sources]').getByRole('button', { name: 'Try again' }).click();
    await page.context().setOffline(false);
    await page.locator('.sources button').first().waitFor();
  });
});

charting('a provider is drawn beside the blend', '/provider/ECB?span=1m', async ({ page }) => {
  expect(await page.locator('[data-legend]').innerText()).toMatch(/^ECB\s+Blend$/);
  await page.press('[data-point]', 'ArrowLeft');
  await expectText(page, '[data-readout]', /19 Mar 2026 · Blend 1\.15/);
});

charting('time runs from left to right in Arabic too', { path: '/', locale: 'ar' }, async ({ page }) => {
  expect(await page.getAttribute('html', 'dir')).toBe('rtl');
  expect(await page.getAttribute('[data-chart]', 'dir')).toBe('ltr');
  await expectText(page, '[data-legend]', 'مصدرًا');
});

const withoutScript = { path: '/?span=5y', javaScriptEnabled: false };
visiting('without script, the chart is the same', withoutScript, async ({ page }) => {
  const chart = async (on: Page) =>
    `${await on.innerHTML('[data-chart]')}${await on.innerHTML('[data-legend]')}`;
  const drawnByServer = await chart(page);
  expect(drawnByServer).toMatch(/>1\.\d+<.*class="line" d="M.*>2026<.*Blend/);
  await site.visit('/?span=5y', async ({ page: scripted }) => {
    await drawn(scripted);
    expect(await chart(scripted)).toBe(drawnByServer);
  });
  expect(await page.textContent('[data-readout]')).toMatch(/^[+−]\d\.\d\d% since Mar\s2021$/);
  expect(await page.getByText('Compare sources').isVisible()).toBe(false);
});

const phone = { path: '/', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
visiting('a phone shows the day under the finger', phone, async ({ page }) => {
  const plot = page.locator('[data-chart]');
  await drawn(page);
  const newest = await page.textContent('[data-readout]');
  await plot.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await patiently(async () => expect(await page.textContent('[data-readout]')).not.toBe(newest));
});
