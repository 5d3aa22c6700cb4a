import { find, need, setAddress } from './elements.js';

const table = need('[data-sources]');
const body = need('tbody', table);
const search = need<HTMLInputElement>('[data-filters] input[name=q]');
const chips = [...document.querySelectorAll<HTMLAnchorElement>('a.filter')];
const heads = [...table.querySelectorAll<HTMLAnchorElement>('a[data-sort]')];
const lines = [...body.querySelectorAll<HTMLTableRowElement>('tr')];

let state = find<HTMLAnchorElement>('a.filter[aria-current]')?.dataset.state ?? '';

function filter(): void {
  const words = search.value.trim().toLowerCase();
  let shown = 0;
  for (const line of lines) {
    const { state: own = '', text = '' } = line.dataset;
    line.hidden = (state !== '' && own !== state) || !text.includes(words);
    if (!line.hidden) shown++;
  }
  need('[data-none]').hidden = shown > 0;
}

/** By the key of this name, as numbers where they are: in the order that its head tells, then the other way round. */
function sort(link: HTMLAnchorElement, head: Element): void {
  const { sort: by = '', order = 'ascending' } = link.dataset;
  const other = order === 'ascending' ? 'descending' : 'ascending';
  const chosen = head.getAttribute('aria-sort') === order ? other : order;
  const key = (line: Element) => line.getAttribute(`data-${by}-key`) ?? '';
  const compare = (one: string, other: string) =>
    Number.isNaN(Number(one)) || one === ''
      ? one < other
        ? -1
        : Number(one > other)
      : Number(one) - Number(other);
  lines.sort((one, other) => compare(key(one), key(other)) * (chosen === 'descending' ? -1 : 1));
  body.append(...lines);
  for (const one of heads) one.closest('th')?.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', chosen);
}

search.addEventListener('input', () => {
  filter();
  setAddress({ q: search.value.trim() });
});
need('[data-filters]').addEventListener('submit', (event) => event.preventDefault());
for (const chip of chips) {
  chip.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    state = chip.dataset.state ?? '';
    for (const one of chips) one.removeAttribute('aria-current');
    chip.setAttribute('aria-current', 'true');
    filter();
    setAddress({ state });
  });
}
for (const link of heads) {
  link.addEventListener('click', (event) => {
    const head = link.closest('th');
    if (event.metaKey || event.ctrlKey || !head) return;
    event.preventDefault();
    sort(link, head);
    setAddress({ sort: link.dataset.sort ?? '' });
  });
}
