import { currencySearchText } from '../shared/currency-search.js';
import { type Html, html } from '../shared/html.js';
import { bestFirst, searchText } from '../shared/search-text.js';
import { find, need } from './elements.js';
import { formats, say } from './reader.js';

/** A combobox with a list box, by the ARIA Authoring Practices Guide. The select element keeps the choice. */
export class Picker {
  readonly #button: HTMLButtonElement;
  readonly #panel: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => this.#activate(this.#active?.nextElementSibling ?? this.#list.firstElementChild),
    ArrowUp: () => this.#activate(this.#active?.previousElementSibling ?? this.#list.lastElementChild),
    Enter: () => this.#choose(this.#active?.dataset.code),
    Escape: () => {
      this.#close();
      this.#button.focus();
    },
  };
  #known: { option: HTMLOptionElement; searched: string }[] | undefined;

  constructor(readonly select: HTMLSelectElement) {
    const { id } = select;
    const label = need<HTMLLabelElement>(`label[for=${id}]`);
    const title = say('picker.choose', { name: label.textContent ?? '' });
    select.insertAdjacentHTML(
      'afterend',
      html`<div class="picker"><button type="button" class="picker-button" id="${id}-button" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="${id}-label ${id}-button"></button>
<div class="picker-panel" hidden><input role="combobox" autocomplete="off" spellcheck="false" placeholder="${say('picker.search')}" aria-label="${title}" aria-expanded="true" aria-autocomplete="list" aria-controls="${id}-list"><ul role="listbox" tabindex="-1" id="${id}-list" aria-label="${title}"></ul><p class="hint" role="status"></p></div></div>`
        .text,
    );
    const picker = select.nextElementSibling as HTMLElement;
    this.#button = need('button', picker);
    this.#panel = need('.picker-panel', picker);
    this.#input = need('input', picker);
    this.#list = need('ul', picker);
    this.#listen(picker);
    select.hidden = true;
    label.htmlFor = this.#button.id;
    this.show();
  }

  #listen(picker: HTMLElement): void {
    const [button, input, list] = [this.#button, this.#input, this.#list];
    input.addEventListener('keydown', (event) => {
      const act = event.isComposing ? undefined : this.#keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
    input.addEventListener('input', () => this.#fill());
    button.addEventListener('click', () => (this.#panel.hidden ? this.#open() : this.#close()));
    button.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== 'ArrowDown' && !/^\p{L}$/u.test(event.key)) return;
      event.preventDefault();
      this.#open(event.key.length === 1 ? event.key : '');
    });
    // Keeps the focus in the text field when an option is pressed.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    list.addEventListener('click', (event) => {
      const option = (event.target as Element).closest<HTMLElement>('[role=option]');
      if (option) this.#choose(option.dataset.code);
    });
    picker.addEventListener('focusout', ({ relatedTarget }) => {
      if (!picker.contains(relatedTarget as Node | null)) this.#close();
    });
    // The search text is not part of the form.
    picker.addEventListener('input', (event) => event.stopPropagation());
  }

  /** Shows the choice after it was changed in the select element. */
  show(): void {
    const [chosen] = this.select.selectedOptions;
    this.#button.innerHTML = chosen ? shownOf(chosen).text : '';
  }

  #open(text = ''): void {
    this.#known ??= [...this.select.options].map((option) => {
      return { option, searched: currencySearchText(option.value, formats) };
    });
    this.#panel.hidden = false;
    this.#button.setAttribute('aria-expanded', 'true');
    this.#input.value = text;
    this.#fill();
    this.#input.focus();
  }

  #close(): void {
    this.#panel.hidden = true;
    this.#button.setAttribute('aria-expanded', 'false');
  }

  #fill(): void {
    const text = this.#input.value;
    const found = bestFirst(this.#known ?? [], searchText(text));
    this.#list.innerHTML = html`${found.map(({ option }) => optionOf(option, this.select))}`.text;
    this.#list.hidden = found.length === 0;
    need('p', this.#panel).textContent = found.length === 0 ? say('picker.nothing') : '';
    const selected = text.trim() === '' ? find('[aria-selected=true]', this.#list) : undefined;
    this.#activate(selected ?? this.#list.firstElementChild);
  }

  get #active(): HTMLElement | undefined {
    return find('.active', this.#list);
  }

  #activate(option: Element | null): void {
    this.#active?.classList.remove('active');
    option?.classList.add('active');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) this.#input.setAttribute('aria-activedescendant', option.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #choose(code = this.select.value): void {
    this.#close();
    this.#button.focus();
    if (code === this.select.value) return;
    this.select.value = code;
    this.show();
    this.select.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

function optionOf(option: HTMLOptionElement, { id, value }: HTMLSelectElement): Html {
  const { value: code } = option;
  return html`<li id="${id}-${code}" role="option" data-code="${code}" aria-selected="${String(code === value)}">${shownOf(option)}</li>`;
}

/** Its text is such as "EUR · Euro". */
function shownOf({ value: code, text }: HTMLOptionElement): Html {
  return html`<strong>${code}</strong> <span>${text.slice(`${code} · `.length)}</span>`;
}
