/** Models may also send numbers, and arrays for lists. Null, empty and boolean values count as absent. */
export function textsOf(given: unknown): [name: string, text: string][] {
  const isNamed = typeof given === 'object' && given !== null && !Array.isArray(given);
  return Object.entries(isNamed ? given : {}).flatMap(([name, value]): [string, string][] => {
    const text = textOf(value);
    return text === '' ? [] : [[name, name === 'precision' ? precisionOf(text) : text]];
  });
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === 'boolean') return '';
  if (Array.isArray(value))
    return value
      .map(textOf)
      .filter((item) => item !== '')
      .join();
  // The route refuses the JSON of an object with a message about the expected form.
  return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}

/** Models request a number of digits. They get full precision, and round themselves. */
function precisionOf(text: string): string {
  return /^\d+$/.test(text) ? 'full' : text;
}
