import { createFormats } from '../shared/format.js';
import type { Messages } from '../shared/messages/en.js';
import { need } from './elements.js';

/** The locale of this page. */
export const locale = document.documentElement.lang;

export const formats = createFormats(locale);

const { href } = need<HTMLLinkElement>('link[data-messages]');

/** The messages in the language of this page. */
export const [messages] = Object.values((await import(href)) as Record<string, Messages>) as [Messages];
