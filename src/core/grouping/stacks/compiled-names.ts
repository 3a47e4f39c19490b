import type { StackFrame } from '../../../../schemas/event.ts';

const nameCharsMax = 512;
const languages = new Set(['native', 'c', 'cocoa', 'objc', 'swift', 'rust']);

export function isCompiled(frame: StackFrame, language: string): boolean {
  return languages.has(language) || frame['instruction_addr'] !== undefined;
}

/** Of its path, of the type in `<Type as Trait>::f`, or of the trait where the type is built in. */
export function crateOf(name: string): string {
  if (name.length > nameCharsMax) return '';
  if (!name.startsWith('<')) return /^(\w+)(?:\[\w+\])?::/.exec(name)?.[1] ?? '';
  if (/^<(?:\[|str>|[iuf]\d{1,3}>|[iu]size>|bool>|char>)/.test(name) && !name.includes(' as ')) return 'core';
  const self = /^<[&*]?(?:mut |const )?(?:dyn )?(\w+)(?:\[\w+\])?::/.exec(name)?.[1] ?? '';
  const at = name.indexOf(' as ');
  const trait = at === -1 ? '' : (/^(\w+)(?:\[\w+\])?::/.exec(name.slice(at + 4))?.[1] ?? '');
  return /^(?:core|alloc|std|)$/.test(self) && trait !== '' ? trait : self;
}

const rustAlone =
  /^<\[|^<.{1,256} as |^<?\w{1,64}\[[0-9a-f]{6,17}\]::|^<?(?:core|alloc)::(?:alloc|array|borrow|boxed|cell|char|cmp|collections|convert|fmt|future|hash|iter|mem|num|ops|option|panic|panicking|ptr|raw_vec|rc|result|slice|str|string|sync|task|time|vec)::/;

/** Other languages may have namespaces named like crates. */
export function isRust(frame: StackFrame, language: string, crate: string): boolean {
  return (
    language === 'rust' ||
    frame.package === crate ||
    /\.rs$/.test(frame.abs_path ?? frame.filename ?? '') ||
    rustAlone.test(frame.function ?? '')
  );
}

/** Without crate hashes, final closures and generic arguments. */
export function normalizeRustName(name: string): string {
  const text = name
    .slice(0, nameCharsMax)
    .replace(/(?<=\w)\[[0-9a-f]{6,17}\](?=::)/g, '')
    .replace(/(?:::\{\{?\w{1,32}(?:#\d{1,6})?\}?\})+$/, '');
  if (!text.endsWith('>')) return text;
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const sign = text.charAt(at);
    if (sign === '>' && text.charAt(at - 1) !== '-') depth += 1;
    else if (sign === '<') depth -= 1;
    if (depth === 0) return text.slice(0, at).replace(/::$/, '');
  }
  return text;
}
