import { feed } from '../../../worker/banks/sbp.js';
import { casesOf, makeXlsx, type Two } from './cases.js';

const NAMES = `Australian Dollar,Bahraini Dinar,Canadian Dollar,Chinese Yuan,Danish Krone,Euro,Hong Kong Dollar,
  Kuwaiti Dinar,Malaysian Ringgit,New Zealand Dollar,Norwegian Krone,Omani Riyal,Qatari Riyal,Saudi Arabian Riyal,
  Singapore Dollar,Swedish Krone,Swiss Franc,Thai Baht,Turkish Lira,U.A.E. Dirham,U.K. Pound Sterling`;
type Line = (string | number | null)[];
const file = (days: Line, ...lines: Line[]) =>
  makeXlsx({
    Sheet2: [
      ['State Bank of Pakistan'],
      ['Country', 'Currency', ...days],
      ...NAMES.split(/,\s*/).map((name) => [' There', name]),
      ...lines.map((line) => [' There', ...line]),
      ['Phone No:', '021-33138273', 99],
    ],
  });
const archive = file(
  [46112, 46113, 46114],
  ['U.S. Dollar', 279, 279.35178571428565, 'closed'],
  ['  japanese   YEN', 1.7, 1.759259, 0],
);
const { reads, empty, refuses } = casesOf(feed, '2026-04-01..2026-04-03', ([old, current]: Two) => ({
  'GET www.sbp.org.pk/assets/document/BFER_Daily_Arch.xlsx': old,
  'GET www.sbp.org.pk/assets/document/BFER_Daily.xlsx': current,
}));
reads('rupees for one unit; where both files have a day the archive counts', {
  given: [archive, file([46113, 46114, 46115], ['U.S. Dollar', 280], ['Japnese Yen', 1.8, 1.75262, null])],
  rates: ['2026-04-01 USD/PKR 279.351785714, JPY/PKR 1.759259', '2026-04-02 JPY/PKR 1.75262'],
});
empty('a window after both files is empty', [archive, archive], '2026-05-01..2026-05-02');
const undated = file(['1 April', '2 April', '3 April']);
refuses([
  ['a name that is not known', [file([46112, 46113, 46114], ['U.S. Dollar']), ''], /knows 22 of its 23/],
  ['a file without days', [undated, ''], /knows 21 of its 23 names/],
]);
