const KEY = 'recent-currencies';
const MOST = 5;

/** The newest first; empty if the browser stores nothing. */
export function recentCurrencies(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((code) => typeof code === 'string').slice(0, MOST) : [];
  } catch {
    return []; // Storage is not available, or another program wrote the value.
  }
}

export function rememberCurrency(code: string): void {
  const kept = [code, ...recentCurrencies().filter((one) => one !== code)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is full or not available. The list is only a convenience.
  }
}
