import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { soapAnswer } from '../../worker/feeds/support.js';

interface Recorded {
  url: string;
  /** Of a POST. */
  requestBody?: string;
  type: string;
  cookie?: string;
  body: string;
}

const csv =
  'FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE\nD,USD,2026-03-03,1.09\nD,USD,2026-03-02,1.08\nD,JPY,2026-03-02,160\n';
const mnbRates =
  '<MNBExchangeRates><Day date="2026-03-02"><Rate unit="1" curr="EUR">402,61</Rate><Rate unit="100" curr="JPY">248,17</Rate></Day></MNBExchangeRates>';
const mnbAnswer = soapAnswer(
  `<GetExchangeRatesResponse><GetExchangeRatesResult>${mnbRates.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</GetExchangeRatesResult></GetExchangeRatesResponse>`,
);
const NBC = 'https://www.nbc.gov.kh/english/economic_research/exchange_rate.php';
const nbcPage = (day: string, dollar: string) =>
  `<html><head><title>Cours officiels – ភ្នំពេញ</title></head><table><tr><td>Exchange Rate on : <font>${day}</font></td></tr><tr><td>Official Exchange Rate : <font>${dollar}</font> KHR / USD</td></tr></table><table class="tbl-responsive"><tr><td>Symbol</td><td>Unit</td><td>Bid</td><td>Ask</td><td>Average</td></tr><tr><td>JPY/KHR</td><td>100</td><td>2540.00</td><td>2543.00</td><td>2541.50</td></tr></table></html>`;
const nbcForm = `<html><form><input type="hidden" name="tk" value="token"/></form></html>`;
const rbvCells = ['usd', 'jpy', 'nzd', 'GBP', 'aud', 'eur'].map(
  (name, index) => `<td class="exchange_rates___${name}">${100 + index}</td>`,
);
const rbvPage = `<html><table><tr class="fabrik_row"><td class="exchange_rates___date">02 March 2026</td>${rbvCells.join('')}</tr></table></html>`;
const BCN = 'https://servicios.bcn.gob.ni/Tc_Servicio/ServicioTC.asmx';
const bcnAnswer = soapAnswer(
  '<RecuperaTC_MesResponse><RecuperaTC_MesResult><Detalle_TC><Tc><Fecha>2026-03-02</Fecha><Valor>36.6243</Valor></Tc></Detalle_TC></RecuperaTC_MesResult></RecuperaTC_MesResponse>',
);

/**
 * Banks of several kinds: CSV; SOAP over plain HTTP; a form for each day, with a token and a cookie; a page of a host that
 * leaves out its intermediate; and a host that speaks TLS 1.0 alone.
 */
const BANKS: Readonly<Record<string, readonly Recorded[]>> = {
  ECB: [
    {
      url: 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata&startPeriod=2026-03-02&endPeriod=2026-03-03',
      ...{ type: 'text/csv', body: csv },
    },
  ],
  MNB: [
    {
      url: 'http://www.mnb.hu/arfolyamok.asmx',
      requestBody: '<startDate>2026-03-02</startDate><endDate>2026-03-03</endDate>',
      ...{ type: 'text/xml; charset=utf-8', body: mnbAnswer },
    },
  ],
  NBC: ['2026-03-02', '2026-03-03'].flatMap((day, index) => [
    { url: NBC, type: 'text/html', cookie: `PHPSESSID=${day}; path=/, lang=en; path=/`, body: nbcForm },
    {
      ...{ url: NBC, requestBody: `exdate=${day}&tk=token&view=View` },
      ...{ type: 'text/html; charset=UTF-8', body: nbcPage(day, String(4022 + index)) },
    },
  ]),
  RBV: [
    {
      url: 'https://www.rbv.gov.vu/index.php/en/exchange-rates?limit1=100000',
      ...{ type: 'text/html; charset=utf-8', body: rbvPage },
    },
  ],
  BCN: [
    {
      ...{ url: BCN, requestBody: '<Ano>2026</Ano><Mes>3</Mes>' },
      ...{ type: 'text/xml; charset=utf-8', body: bcnAnswer },
    },
  ],
};

export const KEYS = Object.keys(BANKS);

/** Writes the recordings of all of them, of 4 March 2026, as `<folder>/<key>/recorded/<key>.index.json`. */
export async function recordBanks(folder: string): Promise<void> {
  for (const [key, recorded] of Object.entries(BANKS)) {
    const name = key.toLowerCase();
    const place = join(folder, name, 'recorded');
    await mkdir(place, { recursive: true });
    const interactions = await Promise.all(
      recorded.map(async ({ url, requestBody = null, type, cookie, body }, index) => {
        const bodyFile = `${name}-${index + 1}.txt`;
        await writeFile(join(place, bodyFile), body);
        return {
          ...{ method: requestBody === null ? 'GET' : 'POST', url, requestBody, status: 200, bodyFile },
          responseHeaders: { 'Content-Type': type, ...(cookie && { 'Set-Cookie': cookie }) },
          recordedAt: 'Wed, 04 Mar 2026 10:00:00 GMT',
        };
      }),
    );
    await writeFile(join(place, `${name}.index.json`), JSON.stringify(interactions));
  }
}
