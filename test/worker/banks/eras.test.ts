import { describe, expect, test } from 'vitest';
import { lifetimeOf } from '../../../core/domain/currencies.js';
import { feed as amcm } from '../../../worker/banks/amcm.js';
import { feed as bam } from '../../../worker/banks/bam.js';
import { feed as bcch } from '../../../worker/banks/bcch.js';
import { feed as bdi } from '../../../worker/banks/bdi.js';
import { feed as bna } from '../../../worker/banks/bna.js';
import { feed as bnm } from '../../../worker/banks/bnm.js';
import { feed as boi } from '../../../worker/banks/boi.js';
import { feed as bota } from '../../../worker/banks/bota.js';
import { feed as cba } from '../../../worker/banks/cba.js';
import { feed as cbg } from '../../../worker/banks/cbg.js';
import { feed as cbr } from '../../../worker/banks/cbr.js';
import { feed as cbu } from '../../../worker/banks/cbu.js';
import { feed as cnb } from '../../../worker/banks/cnb.js';
import { feed as lb } from '../../../worker/banks/lb.js';
import { feed as nbk } from '../../../worker/banks/nbk.js';
import { feed as nbkr } from '../../../worker/banks/nbkr.js';
import { feed as nbp } from '../../../worker/banks/nbp.js';
import { feed as nbrm } from '../../../worker/banks/nbrm.js';
import { feed as nbu } from '../../../worker/banks/nbu.js';
import { feed as rb } from '../../../worker/banks/rb.js';
import { feed as rba } from '../../../worker/banks/rba.js';
import { feed as rbm } from '../../../worker/banks/rbm.js';
import { feed as sarb } from '../../../worker/banks/sarb.js';
import type { Feed } from '../../../worker/feeds/feed.js';
import { formatDate } from '../../../worker/feeds/toolbox/dates.js';
import { type Answers, readFeed, type SeenRequest, soapAnswer } from '../feeds/support.js';

/** A row as the bank prints it: its day, code, price, and for how many units it says that the price is. */
interface Printed {
  day: string;
  code: string;
  price: number;
  units: number;
}

const json = (value: unknown) => JSON.stringify(value);
const dotted = (day: string) => formatDate(day, 'DD.MM.YYYY');

/** The bank's responses with one row, in its own format. */
const BANKS: Readonly<Record<string, { feed: Feed; answers: (row: Printed) => Answers }>> = {
  AMCM: {
    feed: amcm,
    answers: ({ day, code, price, units }) => ({
      'GET /api/v1.0/cms/financial_info': json({
        message: 'OK',
        data: [
          { date: `${day} 14:05:00`, currency: code, unit: units, usdMeanValue: price },
          { date: `${day} 14:05:00`, currency: 'LIQ', unit: 1, usdMeanValue: 0.31 },
        ],
      }),
    }),
  },
  BAM: {
    feed: bam,
    answers: ({ day, code, price, units }) => ({
      'GET /cours/Version1/api/CoursVirement': json([
        { date: `${day}T12:30:00`, libDevise: code, moyen: price, uniteDevise: units },
      ]),
    }),
  },
  BCCH: {
    feed: bcch,
    answers: ({ day, price }) => ({
      'GET /SieteRestWS/SieteRestWS.ashx': ({ query }: SeenRequest) =>
        json({
          Codigo: 0,
          Series: {
            seriesId: query.get('timeseries'),
            Obs: query.get('timeseries')?.includes('BRL')
              ? [{ indexDateString: formatDate(day, 'DD-MM-YYYY'), value: String(price), statusCode: 'OK' }]
              : [],
          },
        }),
    }),
  },
  BDI: {
    feed: bdi,
    answers: ({ day, code, price }) => ({
      'GET /terzevalute-wf-web/rest/v1.0/dailyRates': `Country,Currency,ISO Code,UIC Code,Rate,Rate convention,Reference date (CET)\nLAND,Coin,${code},1,${price},Foreign currency amount for 1 Euro.,${day}\nLAND,Coin,USD,1,1.3,Foreign currency amount for 1 Euro.,${day}\n# no responsibility\n`,
    }),
  },
  BNA: {
    feed: bna,
    answers: ({ day, code, price }) => ({
      'GET /service/rest/taxas/get/evolucao/taxa/intervalo': json({
        success: true,
        genericResponse: [
          { taxa: price, tipoCambio: 'M', data: day, codigoMoeda: code },
          { taxa: 80, tipoCambio: 'M', data: day, codigoMoeda: 'USD' },
        ],
      }),
    }),
  },
  BNM: {
    feed: bnm,
    answers: ({ day, code, price, units }) => ({
      'GET /public/exchange-rate': json({ data: [{ currency_code: code }] }),
      [`GET /public/exchange-rate/${code}/year/${day.slice(0, 4)}/month/${Number(day.slice(5, 7))}`]: json({
        data: { currency_code: code, unit: units, rate: [{ date: day, middle_rate: price }] },
      }),
    }),
  },
  BOI: {
    feed: boi,
    answers: ({ day, code, price, units }) => ({
      'GET /FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS/EXR/1.0/': `SERIES_CODE,BASE_CURRENCY,COUNTER_CURRENCY,UNIT_MULT,COMMENTS,TIME_PERIOD,OBS_VALUE\nx,${code},ILS,${Math.log10(units)},,${day},${price}\nx,CBK_L,ILS,0,,${day},4.1\n`,
    }),
  },
  BOTA: {
    feed: bota,
    answers: ({ day, code, price }) => ({
      'GET /ExchangeRate/previous_rates':
        '<form><input name="__RequestVerificationToken" type="hidden" value="x" /></form>',
      'POST /ExchangeRate/previous_rates': `<table id="myTable"><tr><th>S/N</th><th>Currency</th><th>Buy</th><th>Sell</th><th>Mean</th><th>Date</th></tr><tr><td>1</td><td>${code}</td><td>1</td><td>1</td><td>${price}</td><td>${formatDate(day, 'DD-Mon-YYYY').replace(/-\d\d(\d\d)$/, '-$1')}</td></tr></table>`,
    }),
  },
  CBA: {
    feed: cba,
    answers: ({ day, code, price, units }) => ({
      'POST /exchangerates.asmx': [
        soapAnswer(
          `<ExchangeRatesLatestResponse xmlns="http://www.cba.am/"><ExchangeRatesLatestResult><Rates><ExchangeRate><ISO>${code}</ISO></ExchangeRate></Rates></ExchangeRatesLatestResult></ExchangeRatesLatestResponse>`,
        ),
        soapAnswer(
          `<ExchangeRatesByDateRangeByISOResponse xmlns="http://www.cba.am/"><ExchangeRatesByDateRangeByISOResult><diffgr:diffgram xmlns:diffgr="urn:x"><DocumentElement xmlns=""><ExchangeRatesByRange><Rate>${price}</Rate><Amount>${units}</Amount><ISO>${code}</ISO><RateDate>${day}T00:00:00+04:00</RateDate></ExchangeRatesByRange></DocumentElement></diffgr:diffgram></ExchangeRatesByDateRangeByISOResult></ExchangeRatesByDateRangeByISOResponse>`,
        ),
      ],
    }),
  },
  CBG: {
    feed: cbg,
    answers: ({ day, code, price }) => ({
      ...Object.fromEntries(
        'USD EUR GBP CHF SEK CAD XOF NOK DKK SAR JPY AUD TWD LKR THB PHP NZD AED KWD NGN HKD ZAR EGP CNY BRL INR GHS SLL TRY GNF XDR SGD'
          .split(' ')
          .map((one) => [`GET /ajax/indicative-exchange-rates/${one}`, '[]']),
      ),
      [`GET /ajax/indicative-exchange-rates/${code}`]: json([[Date.parse(day), price]]),
    }),
  },
  CBR: {
    feed: cbr,
    answers: ({ day, code, price, units }) => ({
      'GET /scripts/XML_daily.asp': `<ValCurs><Valute ID="R1"><CharCode>${code}</CharCode></Valute></ValCurs>`,
      'GET /scripts/XML_dynamic.asp': `<ValCurs ID="R1"><Record Date="${dotted(day)}"><Nominal>${units}</Nominal><Value>${String(price).replace('.', ',')}</Value></Record></ValCurs>`,
      'GET /scripts/xml_metall.asp': '<Metall/>',
    }),
  },
  CBU: {
    feed: cbu,
    answers: ({ day, code, price, units }) => ({
      [`GET /en/arkhiv-kursov-valyut/json/all/${day}/`]: json([
        { Ccy: code, Nominal: String(units), Rate: String(price), Date: dotted(day) },
      ]),
    }),
  },
  CNB: {
    feed: cnb,
    answers: ({ day, code, price, units }) => ({
      'GET /cnbapi/exrates/daily-year': json({
        rates: [
          { currencyCode: code, amount: units, validFor: day, rate: price },
          { currencyCode: 'XCU', amount: 1, validFor: day, rate: 18 },
        ],
      }),
    }),
  },
  LB: {
    feed: lb,
    answers: ({ day, code, price, units }) => ({
      'GET /webservices/FxRates/FxRates.asmx/getFxRates': `<FxRates xmlns="http://www.lb.lt/WebServices/FxRates">${[
        [code, price, units],
        ['USD', 4, 1],
      ]
        .map(
          ([one, amount, nominal]) =>
            `<FxRate><Tp>LT</Tp><Dt>${day}</Dt><CcyAmt><Ccy>LTL</Ccy><Amt>${amount}</Amt></CcyAmt><CcyAmt><Ccy>${one}</Ccy><Amt>${nominal}</Amt></CcyAmt></FxRate>`,
        )
        .join('')}</FxRates>`,
    }),
  },
  NBK: {
    feed: nbk,
    answers: ({ day, code, price, units }) => ({
      'GET /rss/get_rates.cfm': `<rates><date>${dotted(day)}</date>${[
        [code, price, units],
        ['USD', 340, 1],
      ]
        .map(
          ([title, description, quant]) =>
            `<item><title>${title}</title><description>${description}</description><quant>${quant}</quant></item>`,
        )
        .join('')}</rates>`,
    }),
  },
  NBKR: {
    feed: nbkr,
    answers: ({ day, code, price, units }) => ({
      'GET /XML/daily.xml': `<CurrencyRates Date="${dotted(day)}"><Currency ISOCode="USD"><Nominal>1</Nominal><Value>70</Value></Currency></CurrencyRates>`,
      'GET /XML/weekly.xml': `<CurrencyRates Date="${dotted(day)}"><Currency ISOCode="${code}"><Nominal>${units}</Nominal><Value>${String(price).replace('.', ',')}</Value></Currency></CurrencyRates>`,
    }),
  },
  NBP: {
    feed: nbp,
    answers: ({ day, code, price }) => ({
      [`GET /api/exchangerates/tables/A/${day}/${day}/`]: { status: 404, body: '404 NotFound' },
      [`GET /api/exchangerates/tables/B/${day}/${day}/`]: json([
        { effectiveDate: day, rates: [{ code, mid: price }] },
      ]),
      [`GET /api/cenyzlota/${day}/${day}/`]: { status: 404, body: '404 NotFound' },
    }),
  },
  NBRM: {
    feed: nbrm,
    answers: ({ day, code, price, units }) => ({
      'GET /KLServiceNOV/GetExchangeRate': json([
        { datum: `${day}T00:00:00`, oznaka: 'USD', nomin: 1, sreden: 50 },
        { datum: `${day}T00:00:00`, oznaka: code, nomin: units, sreden: price },
      ]),
    }),
  },
  NBU: {
    feed: nbu,
    answers: ({ day, code, price, units }) => ({
      'GET /NBU_Exchange/exchange_site': json([{ exchangedate: dotted(day), cc: code, rate: price, units }]),
    }),
  },
  RB: {
    feed: rb,
    answers: ({ day, code, price }) => ({
      [`GET /swea/v1/Observations/ByGroup/130/${day}/${day}`]: json([
        { seriesId: `SEK${code}PMI`, date: day, value: price },
      ]),
    }),
  },
  RBA: {
    feed: rba,
    answers: ({ day, code, price }) => ({
      'GET /statistics/tables/csv/f11.1-data.csv': `F11.1\nUnits,USD,${code}\n${formatDate(day, 'DD-Mon-YYYY')},0.7,${price}\n`,
    }),
  },
  RBM: {
    feed: rbm,
    answers: ({ day, code, price }) => ({
      'POST /Statistics/ExchangeRatesFilter/': `<table id="exchange-rates"><tr><th>Currency</th><th>Buying</th><th>Middle</th><th>Selling</th><th>Date</th></tr>${[
        [code, price],
        ['CMD', 1700],
      ]
        .map(
          ([one, middle]) =>
            `<tr><td>${one}</td><td>1</td><td>${middle}</td><td>1</td><td>${formatDate(day, 'Mon DD YYYY')}</td></tr>`,
        )
        .join('')}</table>`,
    }),
  },
};

/** The row that is stored of one that is printed, as `CODE/HOME rate`; undefined where it is dropped. */
async function stored(key: string, printed: Omit<Printed, 'units'> & { units?: number }): Promise<string[]> {
  const bank = BANKS[key];
  if (!bank) throw new Error(`no format of ${key}`);
  const { day } = printed;
  const { rows } = await readFeed(bank.feed, `${day}..${day}`, bank.answers({ units: 1, ...printed }), {
    today: key === 'NBKR' ? day : '2026-05-22',
  });
  return rows
    .filter(([, base, quote]) => base !== 'USD' && quote !== 'USD')
    .map(([, ...pair]) => pair.join(' '));
}

describe('a code or unit that a bank prints wrong', () => {
  test.each<[string, string, string, number, number, ...string[]]>([
    ['AMCM', '2012-03-05', 'ECU', 9.55, 1, 'XEU MOP 9.55'],
    ['BAM', '2018-01-02', 'MRO', 2.6, 100, 'MRU MAD 0.026'],
    ['BAM', '2018-01-03', 'MRO', 26.1, 100, 'MRU MAD 0.261'],
    ['BAM', '2018-05-07', 'MRO', 26.1, 1, 'MRU MAD 0.261'],
    ['BAM', '2015-05-07', 'MRO', 3.1, 1, 'MRO MAD 0.031'],
    ['BCCH', '1994-06-30', 'BRL', 0.15, 1, 'BRR CLP 0.15'],
    ['BCCH', '1994-07-01', 'BRL', 420, 1, 'BRL CLP 420'],
    ['BDI', '2002-10-04', 'AFN', 4750, 1, 'EUR AFA 4750'],
    ['BDI', '2004-03-31', 'AFN', 4750, 1],
    ['BDI', '2004-04-01', 'AFN', 52.9, 1, 'EUR AFN 52.9'],
    ['BDI', '2008-07-31', 'ZWD', 60, 1, 'EUR ZWD 60'],
    ['BDI', '2008-08-01', 'ZWD', 11, 1, 'EUR ZWR 11'],
    ['BDI', '2009-02-03', 'ZWD', 300, 1, 'EUR ZWL 300'],
    ['BDI', '2009-02-03', 'BGL', 1955.83, 1],
    ['BDI', '2009-02-03', 'MZM', 34000, 1],
    ['BDI', '2009-02-03', 'VEB', 2800, 1],
    ['BNA', '2006-07-03', 'MZM', 3.1, 1, 'MZN AOA 3.1'],
    ['BNA', '2006-06-30', 'MZM', 0.0031, 1, 'MZM AOA 0.0031'],
    ['BNM', '2026-03-02', 'SDR', 5.37, 1, 'XDR MYR 5.37'],
    ['BOI', '1999-03-02', 'BEL', 1.1, 1, 'BEF ILS 0.11'],
    ['BOI', '1999-03-02', 'BEL', 1.1, 10, 'BEF ILS 0.11'],
    ['BOI', '1999-03-02', 'ATS', 3.2, 1, 'ATS ILS 0.32'],
    ['BOI', '1999-03-02', 'ESP', 2.6, 1, 'ESP ILS 0.026'],
    ['BOI', '1999-03-02', 'ITL', 2.3, 1, 'ITL ILS 0.0023'],
    ['BOI', '1999-03-02', 'ITL', 2.3, 1000, 'ITL ILS 0.0023'],
    ['BOTA', '1999-07-01', 'SDR', 950, 1, 'XDR TZS 950'],
    ['BOTA', '1999-07-01', 'MXM', 0.06, 1, 'MZM TZS 0.06'],
    ['BOTA', '2012-12-31', 'ZMK', 0.3, 1, 'ZMK TZS 0.3'],
    ['BOTA', '2013-01-02', 'ZMK', 304, 1, 'ZMW TZS 304'],
    ['CBA', '2000-10-30', 'TJS', 24, 10, 'TJR AMD 0.24'],
    ['CBA', '2000-11-01', 'TJS', 240, 1, 'TJS AMD 240'],
    ['CBA', '2004-12-30', 'KZT', 37, 1, 'KZT AMD 3.7'],
    ['CBA', '2005-01-04', 'KZT', 3.7, 1, 'KZT AMD 3.7'],
    ['CBA', '2016-01-08', 'BYN', 0.26, 10, 'BYR AMD 0.026'],
    ['CBA', '2016-10-26', 'BYR', 249.91, 10, 'BYN AMD 249.91'],
    ['CBA', '2000-10-30', 'ARP', 551.53, 1, 'ARS AMD 551.53'],
    ['CBA', '1999-07-02', 'BGL', 0.29, 1, 'BGL AMD 0.29'],
    ['CBA', '1999-07-05', 'BGL', 290, 1, 'BGN AMD 290'],
    ['CBA', '2001-12-28', 'BRC', 240, 1, 'BRL AMD 240'],
    ['CBA', '2015-03-06', 'ISK', 35.4, 1, 'ISK AMD 3.54'],
    ['CBA', '2015-03-09', 'ISK', 35.12, 10, 'ISK AMD 3.512'],
    ['CBA', '2006-12-30', 'PLZ', 124.89, 1, 'PLN AMD 124.89'],
    ['CBA', '2005-09-30', 'RON', 15, 1],
    ['CBA', '2005-10-03', 'RON', 151, 1, 'RON AMD 151'],
    ['CBA', '2017-01-06', 'SDR', 651, 1, 'XDR AMD 651'],
    ['CBA', '2010-03-31', 'TMT', 2.7, 100],
    ['CBA', '2010-04-01', 'TMT', 140, 1, 'TMT AMD 140'],
    ['CBA', '2006-12-29', 'USM', 2.93, 1, 'UZS AMD 0.293'],
    ['CBG', '2022-07-04', 'SLL', 0.01, 1],
    ['CBG', '2022-07-12', 'SLL', 4.11, 1, 'SLE GMD 4.11'],
    ['CBR', '2000-10-27', 'TJS', 17.5, 1000, 'TJR RUB 0.0175'],
    ['CBR', '2000-10-30', 'TJS', 11, 1, 'TJS RUB 11'],
    ['CBU', '2007-12-31', 'SDR', 2040, 1, 'XDR UZS 2040'],
    ['CBU', '2005-01-04', 'TRL', 780, 1, 'TRY UZS 780'],
    ['CBU', '2004-12-31', 'TRL', 0.00078, 1, 'TRL UZS 0.00078'],
    ['CBU', '1997-12-31', 'RUB', 0.0134, 1, 'RUR UZS 0.0134'],
    ['CBU', '1998-01-05', 'RUB', 0.0134, 1],
    ['CBU', '1998-01-06', 'RUB', 13.4, 1, 'RUB UZS 13.4'],
    ['CNB', '1991-01-24', 'BEC', 88, 100, 'BEF CZK 0.88'],
    ['CNB', '1991-01-15', 'YUD', 265, 100, 'YUN CZK 2.65'],
    ['LB', '2006-01-06', 'AZN', 6.2, 10000, 'AZM LTL 0.00062'],
    ['LB', '2006-01-09', 'AZN', 3.1, 1, 'AZN LTL 3.1'],
    ['LB', '2008-12-31', 'TMT', 1.7, 10000, 'TMM LTL 0.00017'],
    ['LB', '1994-12-30', 'PLN', 1.64, 10000, 'PLZ LTL 0.000164'],
    ['LB', '1995-01-03', 'PLN', 1.64, 1, 'PLN LTL 1.64'],
    ['LB', '1997-12-31', 'RUB', 6.7, 10000, 'RUR LTL 0.00067'],
    ['LB', '1999-07-02', 'BGN', 2.1, 1000, 'BGL LTL 0.0021'],
    ['LB', '1999-07-07', 'BGN', 2.1, 1, 'BGN LTL 2.1'],
    ['LB', '2005-07-01', 'RON', 0.95, 10000, 'ROL LTL 0.000095'],
    ['LB', '2006-06-30', 'MZN', 1.1, 10000, 'MZM LTL 0.00011'],
    ['LB', '2006-07-07', 'MZN', 1.1, 10000],
    ['LB', '1994-08-19', 'BYR', 0.02, 100, 'BYB LTL 0.002'],
    ['LB', '1994-08-22', 'BYR', 0.2, 100, 'BYB LTL 0.002'],
    ['LB', '2000-01-03', 'BYR', 1.25, 1000, 'BYR LTL 0.00125'],
    ['LB', '1998-07-06', 'YUN', 0.37, 1, 'YUM LTL 0.37'],
    ['LB', '1995-09-28', 'GER', 0.88, 1000],
    ['LB', '1995-07-10', 'TJR', 0.88, 1000],
    ['LB', '1995-07-11', 'TJR', 0.07, 1000, 'TJR LTL 0.00007'],
    ['LB', '1995-11-29', 'TMM', 0.88, 1000],
    ['LB', '1995-11-30', 'TMM', 0.02, 1000, 'TMM LTL 0.00002'],
    ['NBK', '1999-12-30', 'BYN', 0.43, 1000, 'BYB KZT 0.00043'],
    ['NBK', '1999-12-30', 'BYR', 0.43, 1000, 'BYB KZT 0.00043'],
    ['NBK', '2000-01-05', 'BYR', 0.43, 1, 'BYR KZT 0.43'],
    ['NBK', '2016-06-30', 'BYN', 1.68, 100, 'BYR KZT 0.0168'],
    ['NBK', '2016-07-01', 'BYN', 1.68, 100],
    ['NBK', '2016-07-04', 'BYN', 170.73, 1, 'BYN KZT 170.73'],
    ['NBKR', '2016-06-30', 'BYR', 0.3402, 100, 'BYR KGS 0.003402'],
    ['NBKR', '2016-07-01', 'BYR', 0.3402, 100],
    ['NBP', '2002-03-06', 'AON', 0.1, 1, 'AOA PLN 0.1'],
    ['NBP', '2002-03-06', 'BYB', 0.0025, 1, 'BYR PLN 0.0025'],
    ['NBP', '2003-01-08', 'AFA', 0.08, 1, 'AFN PLN 0.08'],
    ['NBP', '2009-02-25', 'ZWR', 0.01, 1, 'ZWL PLN 0.01'],
    ['NBRM', '1998-12-31', 'XBA', 60.6, 1, 'XEU MKD 60.6'],
    ['NBRM', '1999-03-01', 'XBA', 60.6, 1],
    ['NBU', '1998-01-02', 'RUR', 3.2, 10, 'RUB UAH 0.32'],
    ['NBU', '1999-08-02', 'BGL', 2.3, 1, 'BGN UAH 2.3'],
    ['NBU', '2000-01-04', 'BGL', 268, 1000, 'BGN UAH 2.68'],
    ['NBU', '2005-01-06', 'TRL', 393, 10000, 'TRY UAH 3.93'],
    ['NBU', '2005-01-05', 'TRL', 0.038, 10000, 'TRL UAH 0.0000038'],
    ['NBU', '2005-07-01', 'ROL', 170, 10000, 'RON UAH 1.7'],
    ['NBU', '2006-01-06', 'AZM', 550, 10000, 'AZN UAH 5.5'],
    ['NBU', '2009-01-06', 'TMM', 270, 10000, 'TMT UAH 2.7'],
    ['NBU', '2000-10-27', 'TJS', 3.4, 1000, 'TJR UAH 0.0034'],
    ['NBU', '2000-10-30', 'TJS', 2.4, 1, 'TJS UAH 2.4'],
    ['NBU', '2000-11-01', 'ZAL', 2.4, 1, 'TJS UAH 2.4'],
    ['RB', '1997-12-30', 'RUB', 0.0013, 1, 'RUR SEK 0.0013'],
    ['RB', '1998-01-02', 'RUB', 1.3, 1, 'RUB SEK 1.3'],
    ['RBA', '2026-03-18', 'SDR', 0.5131, 1, 'AUD XDR 0.5131'],
    ['RBM', '2024-01-02', 'SDR', 2258.5213, 1, 'XDR MWK 2258.5213'],
  ])('%s on %s: %s at %d for %d', async (key, day, code, price, units, ...expected) => {
    expect(await stored(key, { day, code, price, units })).toEqual(expected);
  });

  test.each([
    ['2012-12-31', '2012-12-30', 'ZMK', 605.2],
    ['2013-01-02', '2013-01-01', 'ZMW', 0.6113],
  ])('SARB on %s: kwachas of that time', async (day, before, code, price) => {
    const place = '/SarbWebApi/WebIndicators/Shared/GetTimeseriesObservations';
    const answers = new Proxy<Record<string, string>>(
      {
        [`GET ${place}/EXCB071D/${before}/${day}`]: json([
          { Period: day, Timeseries: 'Zambia: Kwacha per Rand', Value: price },
        ]),
      },
      { has: () => true, get: (known, name) => known[String(name)] ?? '[]' },
    );
    const { rows } = await readFeed(sarb, `${day}..${day}`, answers, { today: '2026-05-22' });
    expect(rows).toEqual([[day, 'ZAR', code, price]]);
  });
});

test.each([
  ['ADP', '2002-03-01'],
  ['AFA', '2002-10-07'],
  ['BGL', '1999-07-05'],
  ['BYB', '2000-01-01'],
  ['MGF', '2005-01-01'],
  ['MZM', '2006-07-01'],
  ['SDD', '2007-01-10'],
  ['SRG', '2004-01-01'],
  ['VEB', '2008-01-01'],
])('%s ends on %s', (code, day) => {
  expect(lifetimeOf(code).until).toBe(day);
});
