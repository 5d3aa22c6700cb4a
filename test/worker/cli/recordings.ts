import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const URL =
  'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?start_date=2026-03-02&end_date=2026-03-03';

/** Writes a recording of the Bank of Canada's: US dollars and euros on two days. Returns the path of its index. */
export async function recordBoc(folder: string, dollar = '1.3650'): Promise<string> {
  const day = (d: string, usd: string, eur: string) => ({ d, FXUSDCAD: { v: usd }, FXEURCAD: { v: eur } });
  const observations = [day('2026-03-03', dollar, '1.5870'), day('2026-03-02', '1.3701', '1.6012')];
  const interaction = {
    ...{ method: 'GET', url: URL, requestHeaders: {}, requestBody: null, status: 200 },
    ...{ responseHeaders: { 'Content-Type': 'application/json' }, bodyFile: 'boc-1.txt' },
    recordedAt: 'Mon, 09 Mar 2026 18:00:00 GMT',
  };
  const place = join(folder, 'boc', 'recorded');
  const index = join(place, 'boc.index.json');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'boc-1.txt'), JSON.stringify({ observations }));
  await writeFile(index, JSON.stringify([interaction]));
  return index;
}
