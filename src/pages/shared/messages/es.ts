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
    empty: 'No hay tipos de cambio de este par en este periodo.',
    title: (base, quote) => `${base} a ${quote}`,
    price: (base, quote) => `${quote} por 1 ${base}`,
    picture: (base, quote, span) => `${quote} por 1 ${base}: ${span}`,
    length: 'Periodo',
    short: { '5d': '5 d', '1m': '1 m', '6m': '6 m', '1y': '1 a', '5y': '5 a', all: 'Máx.' },
    long: {
      '5d': 'los últimos cinco días con cotización',
      '1m': 'el último mes',
      '6m': 'los últimos seis meses',
      '1y': 'el último año',
      '5y': 'los últimos cinco años',
      all: 'todo el historial',
    },
    sinceDay: (change, day) => `${change} desde el ${day}`,
    sinceMonth: (change, month) => `${change} desde ${month}`,
    lowest: 'Mínimo',
    highest: 'Máximo',
    weekOf: (date) => `Semana del ${date}`,
    between: (low, high) => `de ${low} a ${high}`,
    sources: (count) => `Fuentes: ${count}`,
    leftOut: (count) => `excluidas: ${count}`,
    blend: 'Tipo medio',
    percentiles: 'Ocho de cada diez fuentes (percentiles 10 a 90)',
    weekRange: 'Mínimo y máximo de la semana',
    monthRange: 'Mínimo y máximo del mes',
    slider: (base, quote) => `${base} a ${quote}: las flechas recorren las fechas`,
    unread: 'El gráfico no se puede cargar ahora. Lo que se muestra es lo anterior.',
    again: 'Reintentar',
    table: 'Las últimas cifras en una tabla',
    date: 'Fecha',
    compare: 'Comparar las fuentes',
    compareHint:
      'Distancia al tipo medio que la mitad de los tipos de cada fuente no supera, primero la fuente más cercana. Señale una fuente para ver su línea; selecciónela para conservarla.',
    reading: 'Se están cargando las fuentes.',
    sourcesUnread: 'Las fuentes no se pueden cargar ahora.',
    noSources: 'Este tipo no tiene fuentes: se deriva de una paridad fija.',
    days: (count) => `Días: ${count}`,
    weeks: (count) => `Semanas: ${count}`,
    months: (count) => `Meses: ${count}`,
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
