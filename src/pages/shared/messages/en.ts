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
    title: (base: string, quote: string) => `${base} to ${quote}`,
    price: (base: string, quote: string) => `${quote} for one ${base}`,
    picture: (base: string, quote: string, span: string) => `${quote} for one ${base}: ${span}`,
    length: 'Length of time',
    short: { '5d': '5D', '1m': '1M', '6m': '6M', '1y': '1Y', '5y': '5Y', all: 'All' },
    long: {
      '5d': 'the last five days with rates',
      '1m': 'the last month',
      '6m': 'the last six months',
      '1y': 'the last year',
      '5y': 'the last five years',
      all: 'all history',
    },
    sinceDay: (change: string, day: string) => `${change} since ${day}`,
    sinceMonth: (change: string, month: string) => `${change} since ${month}`,
    lowest: 'Lowest',
    highest: 'Highest',
    weekOf: (date: string) => `Week of ${date}`,
    between: (low: string, high: string) => `${low} to ${high}`,
    sources: (count: string) => `Sources: ${count}`,
    leftOut: (count: string) => `left out: ${count}`,
    blend: 'Blend',
    percentiles: 'Eight of ten sources (10th to 90th percentile)',
    weekRange: 'Lowest and highest of the week',
    monthRange: 'Lowest and highest of the month',
    slider: (base: string, quote: string) => `${base} to ${quote}: arrow keys move through the dates`,
    unread: 'The chart can not be read now. What is shown was read before.',
    again: 'Try again',
    table: 'The newest figures as a table',
    date: 'Date',
    compare: 'Compare the sources',
    compareHint:
      'How far half of the rates of each source keep to the blend, the closest source first. Point at a source to see its line, choose it to keep the line.',
    reading: 'The sources are being read.',
    sourcesUnread: 'The sources can not be read now.',
    noSources: 'This rate has no sources: it follows from a peg.',
    days: (count: string) => `Days: ${count}`,
    weeks: (count: string) => `Weeks: ${count}`,
    months: (count: string) => `Months: ${count}`,
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
