import { expect, it } from 'vitest';
import { loadFeeds } from '../../../worker/feeds/registry.js';
import { type Answer, blockedPage, readFeed } from '../feeds/support.js';

const feeds = [...(await loadFeeds()).values()];
/** What a feed says of a firewall's page, where it does not say what was expected in place of HTML. */
const PAGES: Readonly<Record<string, RegExp>> = {
  BCCCD: /holds no history of rates/,
  BCEAO: /no heading "Cours des devises"/,
  BCP: /the title is not that of DOLAR AMERICANO in 2026: ""/,
  BCT: /no "Journée du …" on the page/,
  BCV: /links no workbook/,
  BI: /no hidden field __REQUESTDIGEST/,
  BM: /links no list/,
  BOA: /none of its 0 links fits/,
  BOJA: /no hidden field wdtNonceFrontendServerSide_134/,
  BOMU: /no view of rates/,
  BOTA: /no hidden field __RequestVerificationToken/,
  BRB: /lists no bulletin that earlier pages have not/,
  CBE: /no hidden field __RequestVerificationToken/,
  CBI: /none of its 0 links is a workbook/,
  CBKKW: /no hidden field formId/,
  CBLLR: /no table \.view-content table on the page/,
  CBO: /no hidden field __VIEWSTATE/,
  CBS: /none of its 0 links fits/,
  CBSL: /the form lists no currency/,
  CBVS: /links no file of a day/,
  DAB: /no field_date_value/,
  JPC: /links no week/,
  MAS: /no hidden field __VIEWSTATE/,
  NBC: /no hidden field tk/,
  NBS: /no heading h6 with the day of the list/,
  PMA: /0 hidden fields, where the token alone is expected/,
  RBF: /none of its 0 links fits/,
  RBM: /no table table on the page/,
  RBV: /no records that hold a rate/,
};
const MEANT =
  /responded with (an HTML page where (JSON|XML|CSV|a token) was expected|no workbook): blocked or moved/;
/** Days on which a month begins or ends, for the feeds that ask for months alone. */
const MONTHLY: Readonly<Record<string, string>> = {
  BIS: '2026-05-31',
  INFOREURO: '2026-05-01',
  BAZGMONTH: '2026-08-01',
};

const OTHERS = {
  failure: { status: 500 },
  gone: { status: 404, body: '' },
  empty: '',
  object: '{}',
  root: '<other/>',
};
/** Whose window without rates looks like that. */
const DOCUMENTED: Partial<Record<keyof typeof OTHERS, string>> = { gone: 'NBP', empty: 'RB' };

it.each(feeds.map((feed) => [feed.key, feed] as const))(
  '%s refuses a blocked page, a failure, and bodies that hold nothing',
  async (key, feed) => {
    const day = feed.lastDay ?? MONTHLY[key] ?? '2026-05-22';
    const errorOf = async (answer: Answer) => {
      const everywhere = new Proxy<Record<string, Answer>>({}, { has: () => true, get: () => answer });
      return readFeed(feed, `${day}..${day}`, everywhere).then(() => undefined, String);
    };
    expect(await errorOf(blockedPage)).toMatch(PAGES[key] ?? MEANT);
    for (const [what, answer] of Object.entries(OTHERS)) {
      if (DOCUMENTED[what as keyof typeof OTHERS] === key) continue;
      const says = typeof answer === 'string' ? /^\w+: https?:/ : /(responded with status|answered) [45]0/;
      expect(await errorOf(answer), what).toMatch(says);
    }
  },
);
