import { formats } from './reader.js';

/** Writes the date of each field as the page's language does. */
function showDays(): void {
  for (const text of document.querySelectorAll<HTMLElement>('[data-day]')) {
    const { value } = text.previousElementSibling as HTMLInputElement;
    text.textContent = value === '' ? (text.dataset.day ?? '') : formats.shortDate(value);
  }
}

document.addEventListener('input', showDays);
// A browser may restore the values of fields.
window.addEventListener('pageshow', showDays);
