// Ownership rules of a project, such as `path:src/checkout/* #payments`. The last rule that matches wins.
import type { EventFacts } from '../events/event-facts.ts';
import { matchesGlob } from '../parsing/glob.ts';

const charactersMax = 20_000;
const rulesMax = 500;
const ownersMax = 10;

export interface OwnershipRule {
  readonly line: number;
  /** `path`, `url`, or the name of a tag after `tags.`. */
  readonly kind: 'path' | 'url' | 'tag';
  readonly tag: string;
  readonly pattern: string;
  /** Words as `getAssignee` reads them. */
  readonly owners: readonly string[];
}

/** Empty lines and those that begin with `#` and a space are left out. */
export function parseOwnershipRules(text: string) {
  if (text.length > charactersMax) {
    return { rules: [], errors: [{ line: 1, message: 'The rules can have at most 20,000 characters.' }] };
  }
  const rules: OwnershipRule[] = [];
  const errors: Array<{ line: number; message: string }> = [];
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const line = at + 1;
    const words = wordsOf(raw);
    if (words.length === 0 || /^#(?:\s|#|$)/.test(raw.trim())) continue;
    const read = ruleOf(words, line);
    if (typeof read === 'string') errors.push({ line, message: read });
    else rules.push(read);
  }
  const tooMany = rules[rulesMax];
  if (tooMany !== undefined) errors.push({ line: tooMany.line, message: 'There can be at most 500 rules.' });
  return { rules: rules.slice(0, rulesMax), errors };
}

function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

function ruleOf([matcher = '', ...owners]: readonly string[], line: number): OwnershipRule | string {
  const [, key = '', pattern = ''] = /^([^:]+):(.+)$/s.exec(matcher) ?? [];
  const isTag = key.startsWith('tags.') && key.length > 'tags.'.length;
  if (pattern === '' || (key !== 'path' && key !== 'url' && !isTag)) {
    return `“${matcher}” must begin with path:, url: or tags.NAME:, for example path:src/checkout/*`;
  }
  if (owners.length === 0)
    return 'Add an owner: a team such as #payments, or the e-mail address of a member.';
  if (owners.length > ownersMax) return `A rule can have at most ${ownersMax} owners.`;
  const kind = isTag ? 'tag' : (key as 'path' | 'url');
  return { line, kind, tag: isTag ? key.slice('tags.'.length) : '', pattern, owners };
}

export function findOwningRule(rules: readonly OwnershipRule[], facts: EventFacts): OwnershipRule | null {
  return rules.findLast((rule) => isMatch(rule, facts)) ?? null;
}

function isMatch({ kind, tag, pattern }: OwnershipRule, { files, url, tags }: EventFacts): boolean {
  if (kind === 'url') return url !== '' && matchesGlob(pattern, url);
  if (kind === 'tag') return tags.some(([name, value]) => name === tag && matchesGlob(pattern, value));
  // A path may begin in any folder, since frames name where code was built or installed.
  return files.some((file) => matchesGlob(pattern, file) || matchesGlob(`*/${pattern}`, file));
}

/** `src/api/ @acme/payments` of a CODEOWNERS file becomes `path:src/api/* #payments`. */
export function convertCodeowners(text: string): string {
  const lines = text.split(/\r?\n/).map((raw) => {
    const [path = '', ...owners] = raw
      .replace(/(?:^|\s)#.*$/, '')
      .trim()
      .split(/\s+/);
    if (path === '' || owners.length === 0) return null;
    const named = owners.map((owner) => /^@[^/]+\/(.+)$/.exec(owner)?.[1]?.toLowerCase());
    const words = owners.map((owner, at) => (named[at] === undefined ? owner : `#${named[at]}`));
    const pattern = path.replace(/^\//, '').replaceAll('**', '*');
    return `path:${pattern.endsWith('/') ? `${pattern}*` : pattern} ${words.join(' ')}`;
  });
  return lines.filter((line) => line !== null).join('\n');
}
