const EVERY_MS = 60_000;

/** The parts of a page that show what happens now. Each has an ID. */
const parts = () => [...document.querySelectorAll<HTMLElement>('[data-live]')];

/** Reads the page again, and replaces the parts that have changed, but not one that the operator is in. */
async function update(): Promise<void> {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => undefined);
  if (!response) return; // The server is away: the page says of when it is.
  if (response.redirected || !response.ok) {
    location.reload();
    return;
  }
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of parts()) {
    const now = fresh.getElementById(part.id);
    const isBusy =
      part.contains(document.activeElement) || part.querySelector('details[open], input:checked') !== null;
    if (now && !isBusy && now.innerHTML !== part.innerHTML) part.replaceWith(now);
  }
}

if (parts().length > 0) {
  const events = new EventSource('/admin/live');
  events.addEventListener('changed', () => void update());
  events.addEventListener('open', () => document.body.classList.add('connected'));
  events.addEventListener('error', () => document.body.classList.remove('connected'));
  // What only changes with time, such as "9 minutes ago".
  setInterval(() => document.hidden || void update(), EVERY_MS);
  // Otherwise the browser would keep the connection of a page that it may show again.
  addEventListener('pagehide', () => events.close());
  addEventListener('pageshow', (event) => event.persisted && location.reload());
}

const token = document.querySelector<HTMLInputElement>('input#token');
const shows = document.querySelector('[data-show]');
shows?.addEventListener('click', (event) => {
  if (!token) return;
  event.preventDefault();
  token.type = token.type === 'password' ? 'text' : 'password';
  shows.textContent = token.type === 'password' ? 'Show' : 'Hide';
});

// The parts that are updated are replaced, so the page listens for them.
document.addEventListener('input', ({ target }) => {
  const shown = target instanceof HTMLInputElement && target.parentElement?.querySelector('[data-day]');
  if (shown) shown.textContent = target.value;
});
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.matches('[data-all]'))) return;
  for (const box of target.form?.querySelectorAll<HTMLInputElement>('[name="suspect"]') ?? [])
    box.checked = target.checked;
});
