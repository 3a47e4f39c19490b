// Replaces what varies by placeholders. Every pattern must be linear; lines have at most 2,048 characters.

function cased(names: string): string {
  return names
    .trim()
    .split(/\s+/)
    .flatMap((name) => [name, name.charAt(0).toUpperCase() + name.slice(1), name.toUpperCase()])
    .join('|');
}

const months = cased(
  'january jan february feb mar april apr june jun july jul august aug september sept sep october oct november nov december dec',
);
/** These are words too, so lower case needs a year or a time after it. */
const wordsToo =
  'May|MAY|March|MARCH|(?:may|march|mars|mayo|mei)(?=(?: de)?,?[ /-]\\d{4}(?!\\w)|,? \\d{1,2}:\\d\\d)';
/** German, French, Spanish, Italian, Portuguese, Dutch. */
const foreign = cased(
  `januar januari janvier gennaio enero janeiro februar februari février febbraio febrero fevereiro märz marzo
   março maart avril aprile abril mai maggio maio juni juin giugno junio junho juli juillet luglio julio julho
   août agosto augustus septembre settembre septiembre setembro oktober octobre ottobre octubre outubro novembre
   noviembre novembro dezember décembre dicembre diciembre dezembro`,
);
const month = `(?:${months}|${wordsToo}|${foreign})(?![\\p{L}\\d_])\\.?`;
const weekday = `(?:(?:${cased(
  'monday mon tuesday tues tue wednesday wed thursday thurs thu friday fri saturday sat sunday sun',
)}),? )?`;
const day = '(?:0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th|\\.)?';
const year = '(?:19|20)\\d\\d(?!\\w)';
const clock = '\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?[AaPp][Mm])?(?!\\w)';
const afterMonthAndDay = [
  '(?:(?: de)?(?:,? ?-?|/)\\d{4}(?!\\w|:\\d\\d(?!:\\d\\d:))|[/-]\\d\\d(?!\\w))?',
  `(?:(?:,? (?:at )?|:)${clock})?(?: \\d{4}(?!\\w))?`,
  '(?: (?:(?:GMT|UTC|Z)(?:[+-]\\d{4})?|[+-]\\d{4})(?!\\w)(?: \\([A-Za-z ]{3,40}\\))?)?',
].join('');

const wordedDate = new RegExp(
  [
    `(?<![\\p{L}\\d_])${weekday}(?:`,
    [
      `\\d{4}[ /-]${month}[ /-]${day}(?!\\w)(?:,? ${clock})?`,
      `${month},?[ -]${year}(?:,? ${clock})?`,
      `(?:${month}(?: {1,2}|-)${day}(?!\\w)|${day}(?: of| de)?[ /-]${month})${afterMonthAndDay}`,
    ].join('|'),
    ')',
  ].join(''),
  'gu',
);

const zone =
  '(?:UTC|GMT|[ECMPAH][SD]?T|AK[SD]T|[WCE]ES?T|BST|MSK|[IJKP][SK]T|NZ[SD]T|A[EWC][SD]T|[+-]\\d{4})';
/** Email format: two-digit year, zone after the time. */
const mailDate = new RegExp(
  `(?<![\\p{L}\\d_])${weekday}${day}[ -]${month}[ -]\\d{2}(?:\\d{2})?,? ${clock}(?: ${zone}(?!\\w))?`,
  'gu',
);

/** In order: text that is replaced early cannot match later patterns. */
const variables: ReadonlyArray<readonly [RegExp | 'worded dates', string]> = [
  // Ruby: the format of objects and nil changed in 3.4.
  [/#<([A-Z][\w:]{0,128})[^<>]{0,512}>/g, 'an instance of $1'],
  [/\bnil:NilClass\b/g, 'nil'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s"'<>)[\]}]|\[[^\s\]]{0,64}\])+/gi, '<url>'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g, '<email>'],
  [/(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi, '<uuid>'],
  [
    /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?\b/gi,
    '<date>',
  ],
  ['worded dates', '<date>'],
  [/\b\d{8}T\d{4}(?:\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{4})?\b/g, '<date>'],
  [/\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b/g, '<date>'],
  [/\b\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d\d)\b(?!\.\d)/g, '<date>'],
  [/(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]m\b)?(?![\w:])/gi, '<time>'],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.]\w)/g, '<ip>'],
  [/(?<![\w:-])[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}(?![\w:-])/gi, '<hex>'],
  [/(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])/gi, '<ip>'],
  [
    /(?<![\w:])(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?(?![\w:])/gi,
    '<ip>',
  ],
  [/\[ip\]/g, '<ip>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,128}(?![0-9a-z])/gi, '<hex>'],
  [
    /(?<![\w+/-])(?![A-Z]?[a-z]*(?:[A-Z]+[a-z]+)*\d{1,2}(?:[A-Z]+[a-z]{2,})+(?!\w))(?=[A-Za-z_-]*\d)(?=[0-9a-z_-]*[A-Z])(?=[0-9A-Z_-]*[a-z])(?:[A-Za-z0-9_-]{20,512}|[a-z]{2,6}_[A-Za-z0-9]{12,64})={0,2}(?![\w+/-])/g,
    '<token>',
  ],
  [
    /(?<![\w+/-])(?:(?=[A-Z]*\d)(?=\d*[A-Z])[0-9A-Z]{20,512}|(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{20,512})(?![\w+/-])/g,
    '<token>',
  ],
  [/(?<=(['"]))(?:~?\/|[a-z]:[\\/])[^'"<>|*?]{1,512}(?=\1)/gi, '<path>'],
  [/(?<![\w<])[a-z]:[\\/][^\s"'<>|:*?]+/gi, '<path>'],
  [/\\\\[\w.$-]{1,64}\\[^\s"'<>|:*?]+/g, '<path>'],
  [/(?<![\w<>./~])~?\/[\w.@%+~-]+(?:\/[\w.@%+~-]*)*(?:\?[^\s"'<>)\]}]*)?/g, '<path>'],
  [/(?<![\w<>/.])(?:\.{1,2}|[\w@%+~-][\w.@%+~-]{0,127})(?:\/[\w.@%+~-]+){2,}\/?/g, '<path>'],
  [
    /(?<![\w<>/.])[\w@%+~-][\w.@%+~-]{0,127}\/[\w@%+~-][\w.@%+~-]{0,127}\.[a-z][a-z0-9]{1,4}(?![\w./])/gi,
    '<path>',
  ],
  // PT1H30M, 1h30m, 2m3.5s.
  [/\bPT?(?:\d{1,9}(?:\.\d{1,9})?[YMWDHS]T?){1,8}\b/g, '<quantity>'],
  [/(?<![\w<.])(?:\d{1,9}(?:\.\d{1,9})?(?:d|h|m|[mun\u00b5]?s) ?){2,6}(?!\w)/gi, '<quantity> '],
  [
    /(?<![\w<.])[-+]?\d+(?:[.,]\d+)*\s?(?:(?:[kmgt]i?)?b(?:ytes?)?|[mun\u00b5]?s|secs?|seconds?|mins?|minutes?|h(?:rs?)?|hours?|days?|msecs?|milliseconds?|%)(?![\w])/gi,
    '<quantity>',
  ],
  [/(?<![\w<.])\d{1,6}(?: ?[x×] ?\d{1,6}){1,2}(?!\w)/g, '<quantity>'],
  [
    /(?<![A-Za-z0-9<.])[-+]?\d+(?:[.,]\d+|['\u00a0\u202f]\d{3}(?!\d))*(?:e[-+]?\d{1,3}|st|nd|rd|th)?(?![A-Za-z0-9])/gi,
    '<number>',
  ],
  [/(?<=[A-Za-z])\d{4,}\b/g, '<number>'],
  [/=\s?"[^"]{0,256}"/g, '=<text>'],
  [/=\s?'[^']{0,256}'/g, '=<text>'],
  // Quoted user input: "Duplicate entry 'x'", "literal for int() with base 10: 'x'".
  [
    /(?<=\b(?:entry|value|input|string|literal|base <number>|user|username|login)(?: is)?:? )(?:"[^"]{0,256}"|'[^']{0,256}')/gi,
    '<text>',
  ],
  [/<date>,? <time>/g, '<date>'],
  [/(?<=<date>) [A-Z]{1,4}T\b/g, ''],
  [/(<number>|<hex>|<uuid>)(?:(?:, ?| )\1)+/g, '$1'],
];

export function replaceVariables(line: string): string {
  let text = line;
  for (const [pattern, placeholder] of variables) {
    if (text.length > 0) {
      text = pattern === 'worded dates' ? withoutWordedDates(text) : text.replace(pattern, placeholder);
    }
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

function withoutWordedDates(line: string): string {
  return /\d/.test(line) ? line.replace(mailDate, '<date>').replace(wordedDate, '<date>') : line;
}
