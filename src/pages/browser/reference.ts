import './days.js';
import { addCopyButton } from './snippets.js';

for (const block of document.querySelectorAll<HTMLElement>('.code-block')) addCopyButton(block);
