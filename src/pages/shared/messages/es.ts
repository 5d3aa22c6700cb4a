import type { Messages } from './en.js';

export const es: Messages = {
  direction: 'ltr',
  frame: {
    skip: 'Saltar al contenido',
    pages: 'Páginas',
    rates: 'Tipos',
    status: 'Estado',
    reference: 'Referencia',
    disclaimer: 'Tipos de referencia, a título informativo: ningún banco opera con ellos.',
    terms: 'Los tipos pertenecen a quienes los publican; sus páginas enlazan a sus condiciones.',
    source: 'Código fuente',
    health: 'Estado del servicio',
    corrections: 'Correcciones (canal Atom)',
    plainReference: 'Referencia sin script',
  },
  problem: {
    notYet: 'Todavía no',
    failed: 'No ha funcionado',
    toRates: 'Ver los tipos',
  },
  home: {
    title: 'Almanac: tipos de cambio de fuentes oficiales',
    summary: (currencies, sources) =>
      `Tipos de cambio de ${currencies} monedas, combinados a partir de ${sources} fuentes oficiales.`,
    heading: 'Tipos de cambio, de los bancos que los publican',
    lead: (currencies, sources, newest) =>
      `Un tipo al día para ${currencies} monedas, combinado a partir de ${sources} fuentes oficiales. Último: ${newest}.`,
  },
  converter: {
    amount: 'Importe',
    from: 'De',
    to: 'A',
  },
  chart: {
    empty: 'No hay tipos de este par en este período.',
  },
  newest: {
    heading: 'Últimos tipos',
  },
  requests: {
    copy: 'Copiar',
    copied: 'Copiado',
    selected: 'Seleccionado',
  },
  status: {
    heading: 'Estado de las fuentes',
  },
  currency: {
    heading: 'Quién la publica',
  },
  provider: {
    country: 'País',
  },
  notFound: {
    meant: '¿Quería decir',
  },
};
