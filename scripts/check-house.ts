// What the linter cannot hold of the house (README.md, D-99): no circle of folders, no folder of more than
// twenty files, no file over 300 lines. Part of `npm run lint`; says what is wrong and ends with 1.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const repository = join(import.meta.dirname, '..');
const filesMax = 20;
const linesMax = 300;
/** One file a URL, and one a route: as many as there are. */
const unbounded = new Set(['routes', 'schemas', 'data/migrations']);
/** The files that lie directly in these stand on different floors of theirs: each counts as a room of its own. */
const stairs = new Set(['src', 'src/core', 'src/http', 'src/cli', 'src/contract', 'data', 'routes']);

const rooms = ['src', 'data', 'routes', 'schemas'];
const files = rooms.flatMap((room) =>
  readdirSync(join(repository, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name))),
);
const texts = new Map(files.map((file) => [file, readFileSync(join(repository, file), 'utf8')]));
const problems = [...crowded(), ...longFiles(), ...circles()];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function crowded(): string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > filesMax && !unbounded.has(folder))
    .map(([folder, count]) => `${folder} holds ${count} files: at most ${filesMax} lie in one folder.`);
}

function longFiles(): string[] {
  return [...texts].flatMap(([file, text]) => {
    const lines = text.split('\n').length - 1;
    return lines > linesMax ? [`${file} has ${lines} lines: a file has at most ${linesMax}.`] : [];
  });
}

/** Rooms that import each other, whether types or values, by way of others too. */
function circles(): string[] {
  const arrows = arrowsOfRooms();
  const found: string[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (room: string): void => {
    if (path.includes(room)) {
      found.push(`Folders in a circle: ${[...path.slice(path.indexOf(room)), room].join(' → ')}`);
      return;
    }
    if (done.has(room)) return;
    path.push(room);
    for (const next of arrows.get(room) ?? []) visit(next);
    path.pop();
    done.add(room);
  };
  for (const room of arrows.keys()) visit(room);
  return found;
}

function arrowsOfRooms(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const [file, text] of texts) {
    const from = roomOf(file);
    const to = arrows.get(from) ?? new Set();
    arrows.set(from, to);
    for (const [, path = ''] of text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)) {
      const imported = normalize(join(dirname(file), path));
      if (texts.has(imported) && roomOf(imported) !== from) to.add(roomOf(imported));
    }
  }
  return arrows;
}

function roomOf(file: string): string {
  return stairs.has(dirname(file)) ? file : dirname(file);
}
