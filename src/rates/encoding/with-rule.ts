import type { AppliedRule } from '../../../core/domain/rules.js';
import { CONTENT_TYPES } from '../../formats/record-formats.js';
import type { Content } from '../../http/reply.js';

export const RULE_COLUMNS = ['rule_id', 'rule_citation', 'rule_day', 'rule_source'] as const;

/** A body of one record with the rule that it is of, in the columns of `RULE_COLUMNS` in CSV; text stays as it is. */
export function withRule(content: Content, rule: AppliedRule): Content {
  if (content.type === CONTENT_TYPES.text) return content;
  const add = content.type === CONTENT_TYPES.csv ? addCells : addMember;
  return { ...content, body: Buffer.from(add(String(content.body), rule)) };
}

function addMember(text: string, rule: AppliedRule): string {
  const end = text.lastIndexOf('}');
  return `${text.slice(0, end)},"rule":${JSON.stringify(rule)}${text.slice(end)}`;
}

function addCells(text: string, rule: AppliedRule): string {
  const lines = text.trimEnd().split('\n');
  const added = [RULE_COLUMNS.join(), ruleCells(rule)].slice(-lines.length);
  return lines.map((line, at) => `${line},${added[at]}\n`).join('');
}

/** A rule as cells of CSV (RFC 4180): its citation may have commas. */
export function ruleCells({ id, citation, day, source }: AppliedRule): string {
  return `${id},"${citation.replaceAll('"', '""')}",${day},${source}`;
}
