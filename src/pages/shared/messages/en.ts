/**
 * What pages say, in English. The other languages have the same members: see `Messages`. Figures and dates come formatted;
 * names of currencies and countries are the platform's.
 */
export const en = {
  direction: 'ltr' as 'ltr' | 'rtl',
  frame: {
    skip: 'Skip to the content',
    pages: 'Pages',
    rates: 'Rates',
    status: 'Status',
    reference: 'Reference',
    disclaimer: 'Reference rates, for information: no bank trades at them.',
    terms: 'The rates belong to their publishers, whose pages link to their terms.',
    source: 'Source code',
    health: 'Health',
    corrections: 'Corrections (Atom feed)',
    plainReference: 'Reference without script',
  },
  problem: {
    notYet: 'Not yet',
    failed: 'That did not work',
    toRates: 'To the rates',
  },
  home: {
    title: 'Almanac: exchange rates from official sources',
    summary: (currencies: string, sources: string) =>
      `Exchange rates of ${currencies} currencies, blended from ${sources} official sources.`,
    heading: 'Exchange rates, from the banks that publish them',
    lead: (currencies: string, sources: string, newest: string) =>
      `One rate a day for ${currencies} currencies, blended from ${sources} official sources. Newest: ${newest}.`,
  },
  converter: {
    amount: 'Amount',
    from: 'From',
    to: 'To',
  },
  chart: {
    empty: 'No rates of this pair in this time.',
  },
  newest: {
    heading: 'Newest rates',
  },
  requests: {
    copy: 'Copy',
    copied: 'Copied',
    selected: 'Selected',
  },
  status: {
    heading: 'Status of the sources',
  },
  currency: {
    heading: 'Who publishes it',
  },
  provider: {
    country: 'Country',
  },
  notFound: {
    meant: 'Did you mean',
  },
};

/** What pages say, in any language. */
export type Messages = typeof en;
