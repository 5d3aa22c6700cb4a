import { element } from './elements.js';
import { say } from './reader.js';

export function retryNote(text: string, tryAgain: () => void): HTMLElement {
  const note = element('p', `${text} `, 'problem');
  note.setAttribute('role', 'alert');
  const button = element('button', say('chart.again'));
  button.type = 'button';
  button.onclick = tryAgain;
  note.append(button);
  return note;
}
