import { type Feed, FeedError, mismatch, noData, ratesFrom, sidesOf } from '../feeds/feed.js';
import { formatDate, parseDate } from '../feeds/toolbox/dates.js';
import { clean, hiddenFields, htmlPage, tableRecords } from '../feeds/toolbox/html.js';
import { numberOf } from '../feeds/toolbox/numbers.js';
import { stepsOf } from '../feeds/toolbox/windows.js';

const ENDPOINT = 'https://www.bi.go.id/en/statistik/informasi-kurs/transaksi-bi/default.aspx';
const TOKENS = ['__REQUESTDIGEST', '__VIEWSTATE', '__VIEWSTATEGENERATOR', '__EVENTVALIDATION'] as const;
const COLUMNS = ['Value', 'Sell', 'Buy', 'Date'] as const;
const RESULT = 'table[id$="gvSearchResult2"]';

/** The fields that SharePoint's own script would send. */
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

/**
 * Bank Indonesia: the midpoint of selling and buying rupiah for a stated number of units, with one form request per
 * currency.
 */
export const feed: Feed = {
  key: 'BI',
  reading: 2,
  pauseMs: 1000,
  currencyByCurrency: true,
  backfillDays: 90,

  async *read(window, { http, navigation }) {
    const landing = await navigation.get(ENDPOINT);
    const form = htmlPage(landing);
    const tokens = hiddenFields(form, TOKENS, landing);
    const field = form('input[name^="ctl00$PlaceHolderMain$"][name$="$txtFrom"]').attr('name');
    const prefix = field?.replace(/\$txtFrom$/, '');
    const options = form('select[name$="$ddlmatauang1"] option').toArray();
    const codes = options.map((option) => option.attribs.value ?? '').filter((code) => code.trim() !== '');
    if (prefix === undefined || codes.length === 0)
      throw new FeedError(`${landing.url}: no form with dates and currencies: blocked, moved or redesigned`);

    for (const { from, to } of stepsOf(window, 90)) {
      for (const code of codes) {
        const response = await http.post(ENDPOINT, {
          headers: { referer: ENDPOINT },
          form: {
            ...STATE,
            ...tokens,
            // The form expects the code with its padding of blanks.
            [`${prefix}$ddlmatauang1`]: code,
            [`${prefix}$txtFrom`]: formatDate(from, 'DD-Mon-YYYY'),
            [`${prefix}$txtTo`]: formatDate(to, 'DD-Mon-YYYY'),
            [`${prefix}$txtTanggal`]: '',
            [`${prefix}$btnSearch1`]: 'Search',
            [`${prefix}$hidSourceID`]: `${prefix.replaceAll('$', '_')}_btnSearch1`,
          },
        });
        const page = htmlPage(response);
        const caption = clean(page('[id$="lblKursTransaksiKTBI2"]').text());
        if (page(RESULT).length === 0 && caption === '' && response.text().includes('btnSearch1')) {
          yield noData(response, 'a window without rates gives the form alone');
          continue;
        }
        const base = code.trim();
        if (caption !== `CURRENCIES ${base}`) {
          yield mismatch(response, `responded with "${caption}" where ${base} was asked for`);
          continue;
        }
        yield ratesFrom(response, { from, to }, tableRecords(page, RESULT, COLUMNS, response), (row) => ({
          date: parseDate(row.Date, 'D Mon YYYY'),
          base,
          quote: 'IDR',
          ...sidesOf(numberOf(row.Buy), numberOf(row.Sell)),
          units: numberOf(row.Value),
        }));
      }
    }
  },
};
