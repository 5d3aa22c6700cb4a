import { element, find, need } from './elements.js';
import { messages } from './reader.js';

const MINUTE_MS = 60_000;

const line = find('[data-how-old]');
let timer: number | undefined;

/** Says how old the rates are now; once they are not old any more, that newer ones can be had. */
async function look(shown: HTMLElement): Promise<void> {
  if (document.hidden) return;
  const response = await fetch('/status/age').catch(() => undefined); // The next look may reach it.
  if (!response?.ok) return;
  const text = await response.text();
  need('span', shown).textContent = text;
  if (text !== '') return;
  clearInterval(timer);
  const link = element('a', messages.age.show);
  link.href = location.href;
  need('[role=status]', shown).append(messages.age.arrived, ' ', link);
}

if (line) timer = window.setInterval(() => void look(line), MINUTE_MS);
