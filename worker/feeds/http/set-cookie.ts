/** The cookies of several `set-cookie` headers that were joined into one; dates hold commas of their own. */
export function splitCookies(joined: string | undefined): string[] {
  return joined ? joined.split(/,\s*(?=[^;,=\s]+=)/) : [];
}
