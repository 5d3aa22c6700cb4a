import { type Content, JSON_TYPE } from '../../http/reply.js';

const CALLBACK = /^[A-Za-z_$][\w$.]{0,63}$/;

/** A value as JSON, indented by a number of spaces or by a text. With a valid callback it is a script that calls it. */
export function jsonBody(value: unknown, indent: number | string = 0, callback?: string): Content {
  const text = JSON.stringify(value, null, indent);
  if (callback === undefined || !CALLBACK.test(callback)) return { type: JSON_TYPE, body: Buffer.from(text) };
  // What begins with a comment can't be taken for another kind of file.
  const script = `/**/${callback}(${text})`;
  return { type: 'application/javascript; charset=utf-8', body: Buffer.from(script) };
}
