import { type Content, JSON_TYPE } from '../../http/reply.js';

const CALLBACK = /^[A-Za-z_$][\w$.]{0,63}$/;

/**
 * Encodes a value as JSON, indented by a number of spaces or by a text. A valid callback makes it a script that calls the
 * callback.
 */
export function jsonBody(value: unknown, indent: number | string = 0, callback?: string): Content {
  const text = JSON.stringify(value, null, indent);
  if (callback === undefined || !CALLBACK.test(callback)) return { type: JSON_TYPE, body: Buffer.from(text) };
  // A body that begins with a comment can't be mistaken for another type of file.
  const script = `/**/${callback}(${text})`;
  return { type: 'application/javascript; charset=utf-8', body: Buffer.from(script) };
}
