// Tables whose heading names a secret: what databases, spreadsheets and consoles print. The cells below that
// heading are filtered.
import { type ExtraFields, judgeKey, promisesSecret } from './names.ts';
import { hidesNothing } from './worth.ts';

const filtered = '[Filtered]';
const columnsMax = 100;

/** Ways to draw a table: what stands between the cells, and what else may stand in one. */
const drawings: ReadonlyArray<{ readonly sign: string; readonly split: RegExp; readonly cell: RegExp }> = [
  { sign: '|', split: /(\|)/, cell: /^[\w .:-]{1,64}$/ },
  { sign: '\t', split: /(\t+)/, cell: /^[\w .:-]{1,64}$/ },
  { sign: ',', split: /(,)/, cell: /^["']?[\w.:-]{1,64}["']?$/ },
  { sign: ';', split: /(;)/, cell: /^["']?[\w.:-]{1,64}["']?$/ },
  // Without a colon at its end, which a name in YAML has.
  { sign: '  ', split: /( {2,64})/, cell: /^[\w.:-]{0,63}[\w.-]$/ },
];

/** Text whose tables keep no secret. Each line is looked at once. */
export function scrubTables(text: string, extra: ExtraFields, hit: () => void): string {
  const lines = text.split('\n');
  let heading: Heading | null = null;
  let isChanged = false;
  for (const [index, line] of lines.entries()) {
    if (/^[\s+|=:-]*$/.test(line)) continue;
    const cells: string[] | null = heading === null ? null : cellsOf(line, heading);
    if (heading !== null && cells !== null) {
      const clean = cleanRow(cells, heading, hit);
      if (clean !== null) {
        lines[index] = clean + line.slice(line.trimEnd().length);
        isChanged = true;
      }
    } else {
      heading = headingOf(line, extra);
    }
  }
  return isChanged ? lines.join('\n') : text;
}

interface Heading {
  readonly sign: string;
  readonly split: RegExp;
  /** For each column whether it holds secrets; what stands between columns counts as one that holds none. */
  readonly secrets: readonly boolean[];
}

function headingOf(line: string, extra: ExtraFields): Heading | null {
  if (line.length > 2048) return null;
  for (const { sign, split, cell } of drawings) {
    if (!line.includes(sign)) continue;
    const cells = line.trimEnd().split(split, columnsMax);
    if (cells.length < 3 || cells.length >= columnsMax) continue;
    const names = cells.map((each, index) => (index % 2 === 0 ? each.trim() : ''));
    if (!names.every((name) => name === '' || cell.test(name))) continue;
    const secrets = names.map((name) => promisesSecret(judgeKey(name, extra)));
    if (secrets.includes(true)) return { sign, split, secrets };
  }
  return null;
}

/** The cells of a row of that table, or null where the line is none. */
function cellsOf(line: string, heading: Heading): string[] | null {
  if (!line.includes(heading.sign)) return null;
  const cells = line.trimEnd().split(heading.split, columnsMax);
  return cells.length === heading.secrets.length ? cells : null;
}

/** The row without its secrets; null where it holds none. */
function cleanRow(cells: readonly string[], heading: Heading, hit: () => void): string | null {
  let found = 0;
  const clean = cells.map((cell, column) => {
    const bare = cell.trim().replace(/^["']|["']$/g, '');
    if (heading.secrets[column] !== true || hidesNothing(bare, false)) return cell;
    // A small number, and a word as a manual writes it.
    if (/^\d{1,3}$|^`[a-z]{1,16}`$/.test(bare)) return cell;
    found += 1;
    hit();
    return cell.replace(bare, () => filtered);
  });
  return found === 0 ? null : clean.join('');
}
