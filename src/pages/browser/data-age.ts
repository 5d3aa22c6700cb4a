import { askPage } from './ask.js';
import { element, find, need } from './elements.js';
import { say } from './reader.js';

const MINUTE_MS = 60_000;

const line = find('[data-age]');
const timer = line && window.setInterval(() => void look(line), MINUTE_MS);

/** Once the rates are no longer old, a link loads the newer ones. */
async function look(shown: HTMLElement): Promise<void> {
  if (document.hidden) return;
  const page = await askPage(location.href).catch(() => undefined); // Retried a minute later.
  if (!page) return;
  const now = find('[data-age] span', page);
  need('span', shown).textContent = now?.textContent ?? '';
  if (now) return;
  clearInterval(timer);
  const link = element('a', say('age.show'));
  link.href = location.href;
  need('[role=status]', shown).replaceChildren(say('age.arrived'), ' ', link);
}
