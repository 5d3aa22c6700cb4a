import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Answer {
  url: string;
  body: string;
  type: string;
}

/** Writes a recording `<folder>/<key>/recorded/<key>.index.json`; returns the path of its index. */
async function record(folder: string, key: string, recordedAt: string, answers: readonly Answer[]) {
  const name = key.toLowerCase();
  const place = join(folder, name, 'recorded');
  await mkdir(place, { recursive: true });
  const interactions = await Promise.all(
    answers.map(async ({ url, body, type }, index) => {
      const bodyFile = `${name}-${index + 1}.txt`;
      await writeFile(join(place, bodyFile), body);
      return {
        method: 'GET',
        url,
        requestHeaders: {},
        requestBody: null,
        status: 200,
        responseHeaders: { 'Content-Type': type },
        bodyFile,
        recordedAt: new Date(recordedAt).toUTCString(),
      };
    }),
  );
  const index = join(place, `${name}.index.json`);
  await writeFile(index, JSON.stringify(interactions));
  return index;
}

/** A recording of the Bank of Canada's: US dollars and euros on two days. */
export function recordBoc(folder: string, dollar = '1.3650') {
  const day = (date: string, usd: string, eur: string) => ({
    d: date,
    FXUSDCAD: { v: usd },
    FXEURCAD: { v: eur },
  });
  return record(folder, 'BOC', '2026-03-09T18:00:00Z', [
    {
      url: 'https://www.bankofcanada.ca/valet/observations/group/FX_RATES_DAILY/json?start_date=2026-03-02&end_date=2026-03-03',
      type: 'application/json',
      body: JSON.stringify({
        observations: [day('2026-03-03', dollar, '1.5870'), day('2026-03-02', '1.3701', '1.6012')],
      }),
    },
  ]);
}
