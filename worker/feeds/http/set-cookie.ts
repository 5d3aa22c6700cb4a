/** Splits several `set-cookie` headers that were joined into one. Dates contain commas too. */
export function splitCookies(joined: string | undefined): string[] {
  return joined ? joined.split(/,\s*(?=[^;,=\s]+=)/) : [];
}
