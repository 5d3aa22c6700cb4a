/** The address with other parameters; an empty value removes one. */
export function addressWith(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
}

/** `push` lets the back button return to the previous URL; an unchanged URL adds no history entry. */
export function setAddress(parameters: Readonly<Record<string, string>>, step: 'push' | 'replace'): void {
  const address = addressWith(location.href, parameters);
  if (address === location.href) return;
  if (step === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
}

/** Lets the links to other languages lead to the page as the script has changed it. */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')) {
  link.addEventListener('click', () => {
    const parameters = new URLSearchParams(location.search);
    parameters.set('lang', link.hreflang);
    link.search = String(parameters);
  });
}
