import * as z from 'zod';

/** `min` and `max` count Unicode code points. */
export function textParameter(name: string, min: number, max: number) {
  return lengthOf(z.string(), name, min, max);
}

export function trimmedParameter(name: string, min: number, max: number) {
  return lengthOf(z.string().trim(), name, min, max);
}

function lengthOf(schema: z.ZodString, name: string, min: number, max: number) {
  return schema
    .refine((text) => isWithin(text, min, max), { error: `${name} must have ${min} to ${max} characters` })
    .refine((text) => !text.includes('\0'), { error: `${name} must not hold a NUL character` })
    .meta({ minLength: min, maxLength: max });
}

function isWithin(text: string, min: number, max: number): boolean {
  // A code point has two UTF-16 units at most, so a long text is rejected without counting.
  if (text.length > max * 2) return false;
  const characters = [...text].length;
  return characters >= min && characters <= max;
}

const DECIMAL = /^[+-]?(\d{1,20}(\.\d{0,30})?|\.\d{1,30})$/;

/** `min` and `max` are included. */
export function decimalParameter(name: string, min: number, max: number) {
  return z
    .string()
    .refine((text) => DECIMAL.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `${name} must be a number from ${min} to ${max}`,
    })
    .transform((text) => Number(text) + 0)
    .meta({ type: 'number', minimum: min, maximum: max });
}

/** `min` and `max` are included. */
export function integerParameter(name: string, min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `${name} must be a whole number from ${min} to ${max}`,
    })
    .transform(Number)
    .meta({ type: 'integer', minimum: min, maximum: max });
}
