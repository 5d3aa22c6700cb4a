/**
 * Sets parameters of the address; an empty value removes one. `push` lets the back button return to the previous URL. An
 * unchanged URL adds no history entry.
 */
export function setAddress(parameters: Readonly<Record<string, string>>, step: 'push' | 'replace'): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href === location.href) return;
  if (step === 'push') history.pushState(null, '', url);
  else history.replaceState(null, '', url);
}

/** Lets the links to other languages lead to the page as the script has changed it. */
for (const link of document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')) {
  link.addEventListener('click', () => {
    const parameters = new URLSearchParams(location.search);
    parameters.set('lang', link.hreflang);
    link.search = String(parameters);
  });
}
