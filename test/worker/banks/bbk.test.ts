import { feed } from '../../../worker/banks/bbk.js';
import { casesOf } from './cases.js';

const HEADER =
  '\ufeffBBK_STD_FREQ;BBK_STD_CURRENCY;BBK_ERX_PARTNER_CURRENCY;TIME_PERIOD;OBS_VALUE;BBK_UNIT_MULT;BBK_TITLE;BBK_COMM_GEN';
const line = (currency: string, units: string, day: string, value: string, series = ['D', 'DEM']) =>
  `${series[0]};${currency};${series[1]};${day};${value};0;Devisenkurse der Frankfurter Börse / ${units} ${currency} = ... DEM / X;Ein "Kommentar", lang.`;
const csv = (...lines: string[]) => [HEADER, ...lines, ''].join('\r\n');
const PLACE = 'GET api.statistiken.bundesbank.de/rest/data/BBEX3/D..DEM.AA.AC.000';
const { reads, refuses } = casesOf(feed, '1998-12-28..1998-12-30', PLACE);
reads('marks for one unit of each currency', {
  given: csv(
    line('USD', '1', '1998-12-29', '1.6763'),
    line('ATS', '100', '1998-12-29', '14.214'),
    line('ITL', '1 000', '1998-12-30', '1.0100'),
  ),
  rates: ['1998-12-29 USD/DEM 1.6763, ATS/DEM 0.14214', '1998-12-30 ITL/DEM 0.00101'],
  asks: ['format=sdmx_csv&startPeriod=1998-12-28&endPeriod=1998-12-30'],
});
reads('days without a quotation and other series are no rates; a title without units is tolerated', {
  given: csv(
    line('USD', '1', '1998-12-28', '.'),
    line('USD', '1', '1998-12-29', ''),
    line('USD', '1', '1998-12', '1.7', ['M', 'DEM']),
    line('USD', '1', '1998-12-30', '1.2', ['D', 'EUR']),
    'D;CHF;DEM;1998-12-30;122.2;0;Schweizer Franken;',
  ),
  rates: ['1998-12-30 CHF/DEM 1.222'],
});
reads('the archive ends in 1998', { days: '1999-01-01..2026-03-01', given: csv(), asks: [] });
reads('the archive is asked for in steps of five years', {
  days: '1990-01-01..2026-03-01',
  given: csv(),
  asks: ['endPeriod=1994-12-31', 'endPeriod=1998-12-30'],
});
refuses([
  ['other units', csv(line('ITL', '100', '1998-12-29', '.')), /ITL is for 100 units, not 1000/],
  ['a currency of unknown units', csv(line('GRD', '100', '1998-12-29', '.')), /units of GRD are not known/],
]);
