import { countriesOf } from '../shared/countries.js';
import { createFormats } from '../shared/format.js';
import { searchText } from '../shared/search-text.js';
import { element, need } from './elements.js';
import { formats, messages } from './reader.js';
import { recentCurrencies, rememberCurrency } from './recent.js';

/** A list of currencies to search in, in the place of a select element, which keeps the choice. */
export interface Picker {
  /** Shows the choice, after it was changed in the select element. */
  show(): void;
}

interface Entry {
  code: string;
  name: string;
  /** What it is found by, the likeliest first. */
  texts: readonly string[];
  countries: readonly string[];
}

/** A combobox with a list box, by the pattern of the ARIA Authoring Practices Guide. */
export function openPicker(select: HTMLSelectElement): Picker {
  const { id: name } = select;
  const label = need<HTMLLabelElement>(`label[for=${name}]`);
  const picker = element('div', '');
  picker.className = 'picker';
  picker.innerHTML = `<button type="button" class="picker-button" id="${name}-button" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="${name}-label ${name}-button"></button>
<div class="picker-panel" hidden><input role="combobox" autocomplete="off" spellcheck="false" aria-expanded="true" aria-autocomplete="list" aria-controls="${name}-list"><ul role="listbox" tabindex="-1" id="${name}-list"></ul><p class="hint" role="status"></p></div>`;
  const button = need<HTMLButtonElement>('button', picker);
  const panel = need('.picker-panel', picker);
  const input = need<HTMLInputElement>('input', panel);
  const list = need('ul', panel);
  const title = messages.picker.choose(label.textContent ?? '');
  input.placeholder = messages.picker.search;
  for (const one of [input, list]) one.setAttribute('aria-label', title);

  let known: Entry[] | undefined;
  let active = 0;

  function show(): void {
    const { code, name: full } = textOf(select.selectedOptions[0]);
    button.replaceChildren(element('strong', code), ' ', element('span', full));
  }

  function open(text = ''): void {
    known ??= [...select.options].map(entryOf);
    panel.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    input.value = text;
    fill();
    input.focus();
  }

  function close(): void {
    panel.hidden = true;
    button.setAttribute('aria-expanded', 'false');
  }

  /** Lists what is found, or the recent currencies before all. */
  function fill(): void {
    const found = search(known ?? [], input.value);
    list.replaceChildren(...found.map((entry) => optionOf(entry, input.value)));
    list.hidden = found.length === 0;
    need('p', panel).textContent = found.length === 0 ? messages.picker.nothing : '';
    const chosen = found.findIndex(({ code }) => code === select.value);
    activate(input.value.trim() === '' ? Math.max(0, chosen) : 0);
  }

  function optionOf({ code, name: full, countries }: Entry, text: string): HTMLElement {
    const option = element('li', '');
    option.id = `${name}-${code}`;
    option.role = 'option';
    option.dataset.code = code;
    option.ariaSelected = String(code === select.value);
    const words = searchText(text);
    const country = countries.find((one) => words !== '' && searchText(one).includes(words));
    option.append(element('strong', code), ' ', element('span', full));
    if (country !== undefined && !searchText(full).includes(words))
      option.append(' ', element('small', country));
    return option;
  }

  function activate(index: number): void {
    const options = [...list.children];
    options[active]?.classList.remove('active');
    active = (index + options.length) % Math.max(1, options.length);
    const option = options[active];
    option?.classList.add('active');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  }

  function choose(code: string): void {
    close();
    button.focus();
    rememberCurrency(code);
    if (code === select.value) return;
    select.value = code;
    show();
    select.dispatchEvent(new Event('input', { bubbles: true }));
  }

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => activate(active + 1),
    ArrowUp: () => activate(active - 1),
    Enter: () => choose((list.children[active] as HTMLElement | undefined)?.dataset.code ?? select.value),
    Escape() {
      close();
      button.focus();
    },
  };
  input.addEventListener('keydown', (event) => {
    const act = event.isComposing ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  input.addEventListener('input', fill);
  button.addEventListener('click', () => (panel.hidden ? open() : close()));
  button.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== 'ArrowDown' && !/^\p{L}$/u.test(event.key)) return;
    event.preventDefault();
    open(event.key.length === 1 ? event.key : '');
  });
  // Pressed, an option would take the focus from the text.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role=option]');
    if (option) choose(option.dataset.code ?? select.value);
  });
  picker.addEventListener('focusout', ({ relatedTarget }) => {
    if (!picker.contains(relatedTarget as Node | null)) close();
  });
  // What is searched for is no part of the form.
  picker.addEventListener('input', (event) => event.stopPropagation());

  select.hidden = true;
  label.htmlFor = button.id;
  select.after(picker);
  show();
  return { show };
}

function textOf(option: HTMLOptionElement | undefined): { code: string; name: string } {
  const text = option?.text ?? '';
  return { code: text.slice(0, 3), name: text.slice(' · '.length + 3) };
}

let english: ReturnType<typeof createFormats> | undefined;

function entryOf(option: HTMLOptionElement): Entry {
  english ??= createFormats('en');
  const { code, name } = textOf(option);
  const countries = countriesOf(code).map(formats.country);
  const texts = [
    code,
    name,
    ...countries,
    english.currency(code) ?? '',
    ...countriesOf(code).map(english.country),
  ];
  return { code, name, countries, texts: texts.map(searchText) };
}

/** The entries that a text finds: first by their code, then by the beginnings of words, then by any part. */
function search(entries: readonly Entry[], text: string): Entry[] {
  const words = searchText(text);
  if (words === '') {
    const recent = recentCurrencies().flatMap((code) => entries.filter((entry) => entry.code === code));
    return [...recent, ...entries.filter((entry) => !recent.includes(entry))];
  }
  const rank = ({ texts }: Entry) => {
    if (texts[0]?.startsWith(words)) return 0;
    const begins = texts.findIndex((one) => ` ${one}`.includes(` ${words}`));
    if (begins >= 0) return begins === 1 ? 1 : 2;
    return texts.some((one) => one.includes(words)) ? 3 : undefined;
  };
  return entries
    .map((entry) => ({ entry, place: rank(entry) }))
    .filter(({ place }) => place !== undefined)
    .sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
    .map(({ entry }) => entry);
}
