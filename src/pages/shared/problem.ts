import { type Html, html } from './html.js';
import type { Say } from './messages.js';

interface ApiError {
  status: number;
  message: string;
  errors?: readonly { parameter: string }[];
}

/** In the language of the page. The message of the API follows: it is in English. */
export function problemOf({ status, message, errors = [] }: ApiError, say: Say): Html {
  const isOfDate = errors.some(({ parameter }) => parameter === 'date');
  const key = isOfDate ? 'problem.date' : status === 404 ? 'problem.noRate' : 'problem.refused';
  return html`<span class="problem">${say(key)}</span> ${detail(message)}`;
}

export function detail(message: string): Html {
  return html`<small lang="en" dir="ltr">${message.charAt(0).toUpperCase()}${message.slice(1)}.</small>`;
}
