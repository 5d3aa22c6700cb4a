const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
const HIDDEN_TEXT = ['script', 'style'];

/** The elements that a tag implicitly closes if they were left open right before it. */
const IMPLIED_ENDS: Readonly<Record<string, readonly string[]>> = {
  tr: ['tr', 'td', 'th'],
  td: ['td', 'th'],
  th: ['th'],
  li: ['li'],
  p: ['p'],
  option: ['option'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
};

/** Whether elements are nested deeper, or may be. The time of parsers grows with the square of the depth. */
export function isDeeperThan(html: string, most: number): boolean {
  const text = html.toLowerCase();
  const tag = /<(?:(!--)|(\/?)([a-z][^\s/>]*))/g;
  const open: string[] = [];
  for (let match = tag.exec(text); match; match = tag.exec(text)) {
    const [, comment, slash, name = ''] = match;
    if (comment !== undefined) {
      tag.lastIndex = endOf('-->', text, tag.lastIndex);
    } else if (slash === '/') {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
    } else if (HIDDEN_TEXT.includes(name)) {
      tag.lastIndex = endOf(`</${name}`, text, tag.lastIndex);
    } else if (!VOID.has(name)) {
      const ends = Object.hasOwn(IMPLIED_ENDS, name) ? (IMPLIED_ENDS[name] ?? []) : [];
      while (ends.includes(open.at(-1) ?? '')) open.pop();
      if (open.push(name) > most) return true;
    }
  }
  return false;
}

function endOf(mark: string, text: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}
