import { type Feed, FeedError } from '../feeds/feed.js';
import { withCookies } from '../feeds/toolbox/cookies.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { clean, hiddenFields, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { midpoint } from '../feeds/toolbox/midpoint.js';
import { numberOrNaN, readable } from '../feeds/toolbox/readable.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const URL = 'https://www.bi.go.id/en/statistik/informasi-kurs/transaksi-bi/default.aspx';
const TOKENS = ['__REQUESTDIGEST', '__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'] as const;
const COLUMNS = ['Value', 'Sell', 'Buy', 'Date'] as const;
const RESULT = 'table[id$="gvSearchResult2"]';

/** What SharePoint's own script would send along. */
const STATE = {
  MSOWebPartPage_PostbackSource: '',
  MSOTlPn_View: 0,
  MSOTlPn_ShowSettings: 'False',
  MSOTlPn_Button: 'none',
  MSOSPWebPartManager_DisplayModeName: 'Browse',
  MSOSPWebPartManager_OldDisplayModeName: 'Browse',
  MSOSPWebPartManager_ExitingDesignMode: 'false',
  MSOSPWebPartManager_StartWebPartEditingName: 'false',
  MSOSPWebPartManager_EndWebPartEditing: 'false',
  _maintainWorkspaceScrollPosition: 0,
  __EVENTTARGET: '',
  __EVENTARGUMENT: '',
  __SCROLLPOSITIONX: 0,
  __SCROLLPOSITIONY: 0,
};

/** Bank Indonesia: the midpoint of selling and buying rupiah for so many units, from a form asked once per currency. */
export const feed: Feed = {
  key: 'BI',
  backfillDays: 90,

  async *rows(window, { http }) {
    const session = withCookies(http);
    const landing = await session.get(URL);
    const form = htmlPage(landing);
    const tokens = hiddenFields(form, TOKENS, landing);
    const field = form('input[name^="ctl00$PlaceHolderMain$"][name$="$txtFrom"]').attr('name');
    const prefix = field?.replace(/\$txtFrom$/, '');
    const options = form('select[name$="$ddlmatauang1"] option').toArray();
    const codes = options.map((option) => option.attribs.value ?? '').filter((code) => code.trim() !== '');
    if (prefix === undefined || codes.length === 0)
      throw new FeedError(`${URL}: no form with dates and currencies: blocked, moved or redesigned`);

    for (const { from, to } of stepsOf(window, 90)) {
      for (const code of codes) {
        const answer = await session.post(URL, {
          headers: { referer: URL },
          form: {
            ...STATE,
            ...tokens,
            // The code goes back with the blanks that pad it.
            [`${prefix}$ddlmatauang1`]: code,
            [`${prefix}$txtFrom`]: formatDate(from, 'DD-Mon-YYYY'),
            [`${prefix}$txtTo`]: formatDate(to, 'DD-Mon-YYYY'),
            [`${prefix}$txtTanggal`]: '',
            [`${prefix}$btnSearch1`]: 'Search',
            [`${prefix}$hidSourceID`]: `${prefix.replaceAll('$', '_')}_btnSearch1`,
          },
        });
        await session.pause(1000);
        const page = htmlPage(answer);
        // A window without rows gives the form without a table.
        if (page(RESULT).length === 0 && answer.text().includes('btnSearch1')) continue;
        const caption = clean(page('[id$="lblKursTransaksiKTBI2"]').text());
        const base = /^CURRENCIES ([A-Z]{3})$/.exec(caption)?.[1] ?? code.trim();
        const rows = tableRecords(page, RESULT, COLUMNS, answer).map((row) => {
          const [selling, buying] = [numberOrNaN(row.Sell), numberOrNaN(row.Buy)];
          const middle = selling > 0 && buying > 0 ? midpoint(selling, buying) : Number.NaN;
          const date = parseDate(row.Date, 'D Mon YYYY');
          return { date, base, quote: 'IDR', rate: middle / numberOrNaN(row.Value) };
        });
        yield* readable(rows, answer);
      }
    }
  },
};
