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
    title: (base, quote) => `${base} in ${quote}`,
    price: (base, quote) => `${quote} für 1 ${base}`,
    picture: (base, quote, span) => `${quote} für 1 ${base}: ${span}`,
    length: 'Zeitraum',
    short: { '5d': '5T', '1m': '1M', '6m': '6M', '1y': '1J', '5y': '5J', all: 'Max.' },
    long: {
      '5d': 'die letzten fünf Tage mit Kursen',
      '1m': 'der letzte Monat',
      '6m': 'die letzten sechs Monate',
      '1y': 'das letzte Jahr',
      '5y': 'die letzten fünf Jahre',
      all: 'der gesamte Zeitraum',
    },
    sinceDay: (change, day) => `${change} seit dem ${day}`,
    sinceMonth: (change, month) => `${change} seit ${month}`,
    lowest: 'Tiefststand',
    highest: 'Höchststand',
    weekOf: (date) => `Woche vom ${date}`,
    between: (low, high) => `${low} bis ${high}`,
    sources: (count) => `Quellen: ${count}`,
    leftOut: (count) => `nicht berücksichtigt: ${count}`,
    blend: 'Mittelkurs',
    percentiles: 'Acht von zehn Quellen (10. bis 90. Perzentil)',
    weekRange: 'Tiefst- und Höchststand der Woche',
    monthRange: 'Tiefst- und Höchststand des Monats',
    slider: (base, quote) => `${base} in ${quote}: mit den Pfeiltasten durch die Tage gehen`,
    unread: 'Das Diagramm lässt sich gerade nicht laden. Zu sehen ist der vorige Stand.',
    again: 'Erneut versuchen',
    table: 'Die neuesten Werte als Tabelle',
    date: 'Datum',
    compare: 'Quellen vergleichen',
    compareHint:
      'Wie nah die Hälfte der Kurse jeder Quelle am Mittelkurs liegt, die nächste Quelle zuerst. Zeigen Sie auf eine Quelle, um ihre Linie zu sehen; wählen Sie sie aus, um die Linie zu behalten.',
    reading: 'Die Quellen werden geladen.',
    sourcesUnread: 'Die Quellen lassen sich gerade nicht laden.',
    noSources: 'Dieser Kurs hat keine Quellen: Er folgt aus einer festen Bindung.',
    days: (count) => `Tage: ${count}`,
    weeks: (count) => `Wochen: ${count}`,
    months: (count) => `Monate: ${count}`,
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
