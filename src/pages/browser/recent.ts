const KEY = 'recent-currencies';
const MOST = 5;

/** The currencies that were chosen last, the newest first; none where the browser keeps nothing. */
export function recentCurrencies(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((code) => typeof code === 'string').slice(0, MOST) : [];
  } catch {
    return []; // Storage is closed to this page, or holds what another program wrote.
  }
}

/** Keeps that a currency was chosen, in this browser alone. */
export function rememberCurrency(code: string): void {
  const kept = [code, ...recentCurrencies().filter((one) => one !== code)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or closed to this page: the list is a convenience.
  }
}
