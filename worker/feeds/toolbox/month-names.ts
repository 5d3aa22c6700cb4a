/**
 * The prefixes that identify the months, without accents, in English, French, Spanish, Portuguese, Italian, German, Dutch,
 * Indonesian and Turkish. No prefix means different months in two languages.
 */
const BEGINNINGS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen', 'oca'],
  ['feb', 'fev', 'sub'],
  ['mar', 'mrt', 'maa'],
  ['apr', 'abr', 'avr', 'nis'],
  ['may', 'mai', 'mag', 'mei'],
  ['jun', 'juin', 'giu', 'haz'],
  ['jul', 'juil', 'lug', 'tem'],
  ['aug', 'ago', 'aou', 'agu', 'agt'],
  ['sep', 'set', 'eyl'],
  ['oct', 'out', 'ott', 'okt', 'eki'],
  ['nov', 'kas'],
  ['dec', 'dic', 'dez', 'des', 'ara'],
];

/** 1 to 12 for a month's full or short name, in any case, with or without accents or a dot; otherwise undefined. */
export function monthNumber(name: string): number | undefined {
  const plain = withoutAccents(name).toLowerCase();
  const month = BEGINNINGS.findIndex((beginnings) => beginnings.some((one) => plain.startsWith(one)));
  return month < 0 ? undefined : month + 1;
}

/** Removes accents: `février` becomes `fevrier`. */
export function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
