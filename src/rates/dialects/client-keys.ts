import { pathOf } from '../../http/route.js';
import { dialectSegments } from './dialects.js';

const DIALECTS = new RegExp(`^/(?:${dialectSegments.join('|')})(?=[/?])`, 'i');
const KEY_IN_PATH = /^(\/er\/v6\/)(?!latest\/)[^/?]+(?=\/)/i;
const KEYS = new Set(['app_id', 'access_key', 'apikey', 'api_key']);

/** Drops the API key of other services. It must not be logged, nor keep clients from sharing a cached response. */
export function withoutClientKey(target: string): string {
  if (!DIALECTS.test(target)) return target;
  const path = pathOf(target);
  const withoutKey = path.replace(KEY_IN_PATH, '$1-');
  if (path.length === target.length) return withoutKey;
  const parts = target.slice(path.length + 1).split('&');
  const isKey = (name: string) => KEYS.has(name.toLowerCase());
  const kept = parts.filter((part) => ![...new URLSearchParams(part).keys()].some(isKey));
  return kept.length > 0 ? `${withoutKey}?${kept.join('&')}` : withoutKey;
}
