// Dates with a month in words. A month is a whole word: `7 declined` and `5 marked` hold none. Part of `ng2`
// (docs/grouping.md, "Messages"). Every pattern is linear, and sees one line of at most 2,048 characters.

/** Names in lower case, with a capital and in capitals. */
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
/** Without a capital these are words of other meanings, unless a year or a time follows. */
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
const behind = [
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
      `(?:${month}(?: {1,2}|-)${day}(?!\\w)|${day}(?: of| de)?[ /-]${month})${behind}`,
    ].join('|'),
    ')',
  ].join(''),
  'gu',
);

const zone =
  '(?:UTC|GMT|[ECMPAH][SD]?T|AK[SD]T|[WCE]ES?T|BST|MSK|[IJKP][SK]T|NZ[SD]T|A[EWC][SD]T|[+-]\\d{4})';
/** As mails write them: the year may have two digits, and a zone stands behind the time. */
const mailDate = new RegExp(
  `(?<![\\p{L}\\d_])${weekday}${day}[ -]${month}[ -]\\d{2}(?:\\d{2})?,? ${clock}(?: ${zone}(?!\\w))?`,
  'gu',
);

/** `<date>` for each date with a month in words, with its time and its zone. */
export function withoutWordedDates(line: string): string {
  return /\d/.test(line) ? line.replace(mailDate, '<date>').replace(wordedDate, '<date>') : line;
}
