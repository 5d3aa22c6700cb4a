import type { Receipt } from './schema.js';

const PATH = /^\/v2\/(rate|convert)\/([A-Z]{3})\/([A-Z]{3})$/;
/** What an address may ask for, beside what it pins. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  rate: ['providers', 'precision'],
  convert: ['amount', 'when', 'providers'],
};
const PINNED = ['date', 'as_of', 'expand'];

/** What the address of a receipt asks for: an amount where it is of a conversion, and the day. */
export function askedBy({ url }: Pick<Receipt, 'url'>): { amount: string | null; date: string | null } {
  const { searchParams } = new URL(url, 'http://localhost');
  return { amount: searchParams.get('amount'), date: searchParams.get('date') };
}

/** In what the address of a receipt asks for another pair, day, instant or sources than those that the receipt is about. */
export function differenceOfAddress({ url, known_at, inputs, steps }: Receipt): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const [, kind = '', base, quote] = PATH.exec(pathname) ?? [];
  const { ratio, source } = steps;
  if (base !== ratio.base.currency || quote !== ratio.quote.currency)
    return `url: is not about ${ratio.base.currency}/${ratio.quote.currency}`;
  const unknown = [...searchParams.keys()].find(
    (name) => ![...(OPTIONS[kind] ?? []), ...PINNED].includes(name),
  );
  if (unknown !== undefined) return `url: ${unknown} is no parameter of it`;
  if (searchParams.get('expand') !== 'receipt') return 'url: asks for no receipt';
  if (searchParams.get('as_of') !== known_at) return `url: as_of is not known_at, ${known_at}`;
  const date = searchParams.get('date') ?? '';
  if (date < ratio.date) return `url: date: ${date} is before the date of the rate, ${ratio.date}`;
  const providers = searchParams.get('providers')?.split(',');
  const isOne = providers?.length === 1;
  if (source ? providers?.join() !== source.provider : isOne)
    return `url: providers: ${source?.provider ?? 'one source'} is not what the rate is made of`;
  const other = inputs.find(({ provider }) => providers && !providers.includes(provider));
  return other && `url: providers: does not name ${other.provider}`;
}
