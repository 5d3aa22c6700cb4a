/** Returns the first element that matches, in the page or in a part of it; undefined if there is none. */
export function find<T extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): T | undefined {
  return within.querySelector<T>(selector) ?? undefined;
}

/** Like `find`, for an element that the page always has. */
export function need<T extends Element = HTMLElement>(selector: string, within: ParentNode = document): T {
  const found = find<T>(selector, within);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Creates an element with text and classes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  text: string,
  classes?: string,
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  if (classes) made.className = classes;
  return made;
}
