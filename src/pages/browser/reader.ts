import { createFormats } from '../shared/format.js';
import { createSay, type Messages } from '../shared/messages.js';
import { need } from './elements.js';

export const locale = document.documentElement.lang;

export const formats = createFormats(locale);

const { href } = need<HTMLLinkElement>('link[data-messages]');

const messages: { default: Messages } = await import(href);

export const say = createSay(messages.default, locale);
