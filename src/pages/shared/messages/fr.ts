import type { Messages } from './en.js';

export const fr: Messages = {
  direction: 'ltr',
  frame: {
    skip: 'Aller au contenu',
    pages: 'Pages',
    rates: 'Taux',
    status: 'État',
    reference: 'Référence',
    disclaimer: 'Taux de référence, à titre d’information : aucune banque ne les applique.',
    terms: 'Les taux appartiennent à leurs éditeurs, dont les pages renvoient à leurs conditions.',
    source: 'Code source',
    health: 'État du service',
    corrections: 'Corrections (flux Atom)',
    plainReference: 'Référence sans script',
  },
  problem: {
    notYet: 'Pas encore',
    failed: 'Cela n’a pas fonctionné',
    toRates: 'Voir les taux',
  },
  home: {
    title: 'Almanac : taux de change de sources officielles',
    summary: (currencies, sources) =>
      `Taux de change de ${currencies} devises, combinés à partir de ${sources} sources officielles.`,
    heading: 'Les taux de change, par les banques qui les publient',
    lead: (currencies, sources, newest) =>
      `Un taux par jour pour ${currencies} devises, combiné à partir de ${sources} sources officielles. Dernier : ${newest}.`,
  },
  converter: {
    amount: 'Montant',
    from: 'De',
    to: 'Vers',
  },
  chart: {
    empty: 'Aucun cours de cette paire sur cette période.',
    title: (base, quote) => `${base} en ${quote}`,
    price: (base, quote) => `${quote} pour 1 ${base}`,
    picture: (base, quote, span) => `${quote} pour 1 ${base} : ${span}`,
    length: 'Période',
    short: { '5d': '5 j', '1m': '1 m', '6m': '6 m', '1y': '1 an', '5y': '5 ans', all: 'Max.' },
    long: {
      '5d': 'les cinq derniers jours cotés',
      '1m': 'le dernier mois',
      '6m': 'les six derniers mois',
      '1y': 'la dernière année',
      '5y': 'les cinq dernières années',
      all: 'tout l’historique',
    },
    sinceDay: (change, day) => `${change} depuis le ${day}`,
    sinceMonth: (change, month) => `${change} depuis ${month}`,
    lowest: 'Plus bas',
    highest: 'Plus haut',
    weekOf: (date) => `Semaine du ${date}`,
    between: (low, high) => `de ${low} à ${high}`,
    sources: (count) => `Sources : ${count}`,
    leftOut: (count) => `écartées : ${count}`,
    blend: 'Cours moyen',
    percentiles: 'Huit sources sur dix (du 10e au 90e centile)',
    weekRange: 'Plus bas et plus haut de la semaine',
    monthRange: 'Plus bas et plus haut du mois',
    slider: (base, quote) => `${base} en ${quote} : les flèches parcourent les dates`,
    unread: 'Le graphique ne peut pas être chargé pour le moment. Les chiffres affichés sont les précédents.',
    again: 'Réessayer',
    table: 'Les derniers chiffres en tableau',
    date: 'Jour',
    compare: 'Comparer les sources',
    compareHint:
      'L’écart au cours moyen que la moitié des cours de chaque source ne dépasse pas, la source la plus proche en premier. Survolez une source pour voir sa courbe, sélectionnez-la pour la garder.',
    reading: 'Chargement des sources en cours.',
    sourcesUnread: 'Les sources ne peuvent pas être chargées pour le moment.',
    noSources: 'Ce cours n’a pas de sources : il découle d’une parité fixe.',
    days: (count) => `Jours : ${count}`,
    weeks: (count) => `Semaines : ${count}`,
    months: (count) => `Mois : ${count}`,
  },
  newest: {
    heading: 'Derniers taux',
  },
  requests: {
    copy: 'Copier',
    copied: 'Copié',
    selected: 'Sélectionné',
  },
  status: {
    heading: 'État des sources',
  },
  currency: {
    heading: 'Qui la publie',
  },
  provider: {
    country: 'Pays',
  },
  notFound: {
    meant: 'Vouliez-vous dire',
  },
};
