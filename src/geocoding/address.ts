/** The parts of an address; null where they aren't known. */
export interface Address {
  road: string | null;
  suburb: string | null;
  county: string | null;
  city: string | null;
  state: string | null;
  postcode: string | null;
  country: string | null;
  /** ISO 3166-1 alpha-2, upper case. */
  countryCode: string | null;
  formatted: string | null;
  houseNumber: string | null;
}

/** Members of a geocoder's record under its own names. */
export type Components = Readonly<Record<string, unknown>>;

/** The first of the named members that says something. Old records hold numbers where text is meant. */
export function firstOf(components: Components, names: readonly string[]): string | null {
  for (const name of names) {
    const value = components[name];
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (text !== '') return text;
  }
  return null;
}

/** Two upper-case letters, or null. */
export function countryCodeOf(text: string | null): string | null {
  const code = text?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : null;
}

/** Whether it tells no more than, say, which sea it is: that is no address. */
export function isNowhere({ formatted, countryCode, ...parts }: Address): boolean {
  return Object.values(parts).every((part) => part === null);
}
