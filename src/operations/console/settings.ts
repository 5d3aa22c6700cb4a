import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig, SETTINGS } from '../../../core/process/config.js';
import { homepage, projectFolder } from '../../../core/process/project-files.js';
import { withCode } from '../../pages/reference-operations.js';
import { type Html, html } from '../../pages/shared/html.js';
import type { OperatorRequest } from './errand.js';
import type { ConsolePage } from './frame.js';
import { chip, filterForm, section, table } from './table.js';

type Setting = (typeof SETTINGS)[number] & { meaning: string };

export function settingsPage(
  { config }: { config: Config },
  { query }: Pick<OperatorRequest, 'query'>,
): ConsolePage {
  const defaults = readConfig({});
  const [values = '', text = ''] = ['values', 'q'].map((name) => query.get(name)?.trim());
  const isChanged = ({ name }: Setting) => JSON.stringify(config[name]) !== JSON.stringify(defaults[name]);
  const isShown = (one: Setting) =>
    `${one.name} ${one.meaning}`.toLowerCase().includes(text.toLowerCase()) &&
    (values !== 'changed' || isChanged(one));
  const columns = [
    { label: 'Name', of: ({ name }: Setting) => html`<code>${name}</code>` },
    {
      label: 'Value',
      of: (setting: Setting) =>
        isChanged(setting)
          ? html`${shownValue(setting, config)} ${chip('Changed')}${!setting.isSecret && html` <small>default: ${shownValue(setting, defaults)}</small>`}`
          : shownValue(setting, config),
    },
    { label: 'Meaning', of: ({ meaning }: Setting) => withCode(meaning) },
  ];
  const areas = settings()
    .map(([area, all]) => [area, all.filter(isShown)] as const)
    .filter(([, found]) => found.length > 0);
  return {
    lead: html`The settings of this API process. A worker has its own. Restart to apply a change: see <a href="${homepage}/blob/main/docs/configuration.md" rel="noreferrer">the reference</a>.`,
    body: html`${filterForm({
      select: {
        label: 'Show',
        name: 'values',
        current: values,
        options: { '': 'All settings', changed: 'Changed settings' },
      },
      search: { label: 'Find', name: 'q', value: text, placeholder: 'Name or meaning' },
    })}<div class="sections settings">${areas.map(([area, found]) => section(area, table(found, columns)))}${areas.length === 0 && html`<p class="empty">No setting matches.</p>`}</div>`,
  };
}

/** In .env.example: a comment, and the variables that it describes. */
const DESCRIBED = /(?<meaning>(?:^# .*\n)+)(?<names>(?:^#?[A-Z_]+=.*\n)+)/gm;

/** The areas of .env.example, with what it says of each setting. */
function settings(): [area: string, Setting[]][] {
  const example = readFileSync(join(projectFolder, '.env.example'), 'utf8');
  return example.split(/^# --- /m).map((part) => {
    const all = [...part.matchAll(DESCRIBED)].flatMap(([, meaning = '', names = '']) => {
      const text = meaning.replace(/^# /gm, '').replaceAll('\n', ' ');
      return SETTINGS.filter(({ name }) => new RegExp(`^#?${name}=`, 'm').test(names)).map((one) => ({
        ...one,
        meaning: text,
      }));
    });
    return [part.split(' --', 1)[0] ?? '', all];
  });
}

function shownValue({ name, isSecret }: Setting, { [name]: value }: Config): Html {
  if (value === undefined || value === '') return html`<span class="hint">not set</span>`;
  return html`<code>${isSecret ? '•••••• (set)' : textOf(name, value)}</code>`;
}

function textOf(name: string, value: NonNullable<Config[keyof Config]>): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(', ') || (name === 'MCP' ? 'on' : 'none');
  if (typeof value !== 'object') return withoutLogin(String(value));
  const parts = Object.entries(value).map(([part, limit]) => `${part}=${limit}`);
  return parts.join(', ');
}

/** Of a URL, also without the query, which may contain a password. */
function withoutLogin(value: string): string {
  return /^[a-z+]+:\/\//i.test(value) ? value.replace(/(?<=:\/\/).*@/s, '').replace(/[?#].*/s, '') : value;
}
