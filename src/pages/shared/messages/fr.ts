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
    empty: 'Aucun taux de cette paire sur cette période.',
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
