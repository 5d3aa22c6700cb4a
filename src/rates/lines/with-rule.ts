import type { AppliedRule } from '../../../core/domain/rules.js';
import { csvCell } from '../../formats/record-formats.js';
import { CONTENT_TYPES, type Content } from '../../http/reply.js';

export const RULE_COLUMNS = ['rule_id', 'rule_citation', 'rule_day', 'rule_source'] as const;

/** Adds the rule to a body of one record, in CSV in the columns of `RULE_COLUMNS`. Text stays unchanged. */
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

export function ruleCells({ id, citation, day, source }: AppliedRule): string {
  return [id, citation, day, source].map(csvCell).join();
}
