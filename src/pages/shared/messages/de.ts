import type { Messages } from './en.js';

export const de: Messages = {
  direction: 'ltr',
  frame: {
    skip: 'Zum Inhalt springen',
    pages: 'Seiten',
    rates: 'Kurse',
    status: 'Status',
    reference: 'Referenz',
    disclaimer: 'Referenzkurse zur Information: Keine Bank handelt zu ihnen.',
    terms: 'Die Kurse gehören ihren Herausgebern, deren Seiten auf ihre Bedingungen verweisen.',
    source: 'Quelltext',
    health: 'Betriebszustand',
    corrections: 'Korrekturen (Atom-Feed)',
    plainReference: 'Referenz ohne Skript',
  },
  problem: {
    notYet: 'Noch nicht',
    failed: 'Das hat nicht geklappt',
    toRates: 'Zu den Kursen',
  },
  home: {
    title: 'Almanac: Wechselkurse aus amtlichen Quellen',
    summary: (currencies, sources) =>
      `Wechselkurse von ${currencies} Währungen, gemittelt aus ${sources} amtlichen Quellen.`,
    heading: 'Wechselkurse von den Banken, die sie veröffentlichen',
    lead: (currencies, sources, newest) =>
      `Ein Kurs pro Tag für ${currencies} Währungen, gemittelt aus ${sources} amtlichen Quellen. Neuester: ${newest}.`,
  },
  converter: {
    amount: 'Betrag',
    from: 'Von',
    to: 'Nach',
  },
  chart: {
    empty: 'Keine Kurse dieses Währungspaars in diesem Zeitraum.',
  },
  newest: {
    heading: 'Neueste Kurse',
  },
  requests: {
    copy: 'Kopieren',
    copied: 'Kopiert',
    selected: 'Ausgewählt',
  },
  status: {
    heading: 'Status der Quellen',
  },
  currency: {
    heading: 'Wer sie veröffentlicht',
  },
  provider: {
    country: 'Land',
  },
  notFound: {
    meant: 'Meinten Sie',
  },
};
