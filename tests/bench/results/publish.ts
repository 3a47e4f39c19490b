// Writes what was found where operators read it: the JSON, the plots, and the tables of
// docs/performance.md between their marks.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plotsOf } from './plots.ts';
import {
  type Circumstances,
  type Found,
  readSections,
  type SectionName,
  type Sections,
  sectionsText,
} from './sections.ts';
import { markdownOf, tablesOf } from './tables.ts';

/** Puts the new sections beside the old ones, and draws and writes all anew. */
export function publish(docs: string, found: Sections): void {
  const file = join(docs, 'performance.json');
  const sections: Sections = { ...readSections(file), ...found };
  writeFileSync(file, sectionsText(sections));
  const rounded: Sections = readSections(file);
  const folder = join(docs, 'performance');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of plotsOf(foundIn(rounded))) writeFileSync(join(folder, name), text);
  const page = join(docs, 'performance.md');
  if (existsSync(page)) writeFileSync(page, withTables(readFileSync(page, 'utf8'), rounded));
}

function foundIn(sections: Sections): Found {
  return Object.fromEntries(Object.entries(sections).map(([name, section]) => [name, section?.found]));
}

/** The page with what stands between `<!-- NAME -->` and `<!-- end of NAME -->` written anew. */
function withTables(page: string, sections: Sections): string {
  let text = page;
  for (const name of Object.keys(sections) as SectionName[]) {
    const section = sections[name];
    if (section === undefined) continue;
    const tables = tablesOf({ [name]: section.found }).map(
      (each) => `**${each.title}.**\n\n${markdownOf(each)}`,
    );
    const block = [circumstancesText(section.circumstances), ...tables].join('\n\n');
    const marks = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
    text = text.replace(marks, (_, begin: string, end: string) => `${begin}\n${block}\n\n${end}`);
  }
  return text;
}

function circumstancesText(c: Circumstances): string {
  const commit = c.commit === null ? '' : `, commit ${c.commit}`;
  return (
    `Measured ${c.measuredAt.slice(0, 10)}${commit}, Node ${c.node.replace('v', '')}: ${c.processors} processors ` +
    `(${c.processor}), ${c.memoryGiB} GiB; load ${c.loadBefore} before and ${c.loadAfter} after; ` +
    `medians of ${c.repeats}, ${c.secondsOfLoad} s each.`
  );
}
