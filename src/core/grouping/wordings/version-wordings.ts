// Messages in the words of the newest version of a language, so that an upgrade makes no new issues. Part of `ng2`
// (docs/grouping.md, "Messages"). Patterns are linear; they see one line of at most 2,048 characters.

type Rule = readonly [pattern: RegExp, current: string];

const rules = new Map<string, readonly Rule[]>([
  [
    // PHP 8.
    'php',
    [
      [/\bUndefined index: ([^\s'"]{1,200})/g, "Undefined array key '$1'"],
      [/\bUndefined offset: (-?\d{1,20})/g, 'Undefined array key $1'],
      [/\bUndefined variable: (?=\w)/g, 'Undefined variable $$'],
      [/\bTrying to get property '([^']{1,200})' of non-object/g, "Attempt to read property '$1' on null"],
    ],
  ],
  [
    // Python 3.10 guesses what was meant, 3.11 has other words for a name that has no value yet.
    'python',
    [
      [/[.?] Did you mean: '[^']{1,200}'\?$/, ''],
      [
        /^local variable ('[^']{1,200}') referenced before assignment/,
        'cannot access local variable $1 where it is not associated with a value',
      ],
    ],
  ],
  [
    // Ruby 3.4: an object is an instance of its class, and hashes are `{id: 1, 'a' => 2}`.
    'ruby',
    [
      [/#<([A-Z]\w{0,127}(?:::[A-Z]\w{0,127}){0,16}):0x[0-9a-f]{1,16}[^<>]{0,512}>/g, 'an instance of $1'],
      [/\bfor ([A-Z][\w:]{0,254}):Class\b/g, 'for class $1'],
      [/\bfor ([A-Z][\w:]{0,254}):Module\b/g, 'for module $1'],
      [/(?<=[{,]\s{0,2}):(\w{1,64}[?!]?|"[^"]{1,64}")\s?=>\s?/g, '$1: '],
      [/(?<=\S)\s{0,2}=>\s{0,2}/g, ' => '],
    ],
  ],
]);

export function currentWording(line: string, language: string): string {
  let text = line;
  for (const [pattern, current] of rules.get(language) ?? []) text = text.replace(pattern, current);
  return text;
}
