import { createFormats } from '../shared/format.js';
import type { Messages } from '../shared/messages/en.js';
import { need } from './elements.js';

/** The locale that the server has written this page in. */
export const locale = document.documentElement.lang;

export const formats = createFormats(locale);

const { href } = need<HTMLLinkElement>('link[data-messages]');

/** What this page says, in its language. */
export const [messages] = Object.values((await import(href)) as Record<string, Messages>) as [Messages];
